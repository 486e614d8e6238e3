#!/usr/bin/env bash
# Adds files to a memory and asks a question: ask.sh "How long do refunds take?" handbook.pdf notes.md
set -euo pipefail
question=$1
shift
memory=$RECOLLECT_URL/v1/memories/$RECOLLECT_MEMORY

for file in "$@"; do
  # --retry repeats after 408, 429, 500, 502, 503 and 504 and waits as Retry-After says. Under one key a repeat adds nothing twice.
  curl --silent --show-error --fail-with-body --retry 3 "$memory/documents" \
    -H "Authorization: Bearer $RECOLLECT_API_KEY" -H "Idempotency-Key: $(uuidgen 2>/dev/null || date +%s%N)" \
    -F "file=@$file" >&2
done

# JSON puts a backslash before quotes and backslashes.
escaped=$(printf %s "$question" | sed 's/[\\"]/\\&/g')
curl --silent --show-error --fail-with-body --retry 3 "$memory/ask" \
  -H "Authorization: Bearer $RECOLLECT_API_KEY" -H 'Content-Type: application/json' \
  -d "{\"question\":\"$escaped\"}"

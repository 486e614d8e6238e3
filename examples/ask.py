"""Adds files to a memory and asks a question: ask.py "How long do refunds take?" handbook.pdf notes.md"""

import os
import sys
import time
import uuid

import requests

BASE = os.environ.get("RECOLLECT_URL", "http://127.0.0.1:8080")
MEMORY = f"/v1/memories/{os.environ['RECOLLECT_MEMORY']}"
ATTEMPTS = 4
# No request takes longer; one that comes again waits as long for its first attempt at most.
WAIT_SECONDS = 600

session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['RECOLLECT_API_KEY']}"


def call(method, path, **request):
    """The JSON of the answer. Repeats what failed in passing, a POST under one key, so that nothing is done twice."""
    headers = {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {}
    attempt = 0
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        attempt += 1
        try:
            answer = session.request(method, BASE + path, headers=headers, timeout=WAIT_SECONDS, **request)
        except requests.ConnectionError:
            if attempt == ATTEMPTS:
                raise
            time.sleep(2 ** (attempt - 1))
            continue
        if answer.ok:
            return answer.json()
        error = answer.json()["error"]
        # An attempt before is at work, or its process died: its key is free again within a minute.
        under_way = error["code"] == "idempotency_in_progress"
        attempt -= under_way
        passing = under_way or answer.status_code >= 500 or error["code"] == "rate_limited"
        pause = float(answer.headers.get("Retry-After", 2 ** max(attempt - 1, 0)))
        if not passing or attempt == ATTEMPTS or time.monotonic() + pause > deadline:
            raise RuntimeError(f"{error['code']}: {error['message']} {error['remedy']}")
        time.sleep(pause)


def add(path):
    """Adds a file and waits for its job, where there is one."""
    with open(path, "rb") as file:
        content = file.read()
    added = call("POST", f"{MEMORY}/documents", files={"file": (os.path.basename(path), content)})
    job = added.get("job")
    while job is not None and job["status"] in ("pending", "processing"):
        job = call("GET", f"/v1/jobs/{job['id']}?wait=30")
    if job is not None and job["status"] != "completed":
        print(f"{path}: {job['message']}", file=sys.stderr)


for name in sys.argv[2:]:
    add(name)
answer = call("POST", f"{MEMORY}/ask", json={"question": sys.argv[1]})
print(answer["answer"])
for citation in answer["citations"]:
    print(f"[{citation['index']}] {citation['title']}, {citation['startOffset']} to {citation['endOffset']}")

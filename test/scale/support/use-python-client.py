"""Uses the client that openapi-python-client made: arguments are its folder's parent, the address and a key."""

import sys
from io import BytesIO

sys.path.insert(0, sys.argv[1])

from recollect_client import AuthenticatedClient
from recollect_client.api.documents import add_documents, get_document
from recollect_client.api.memories import create_memory, get_memory
from recollect_client.api.search import find
from recollect_client.models import (
    AddDocumentsJsonBody,
    AddDocumentsJsonBodyDocumentsItem,
    AddDocumentsFilesBody,
    CreateMemoryBody,
    FindBody,
)
from recollect_client.types import File

client = AuthenticatedClient(base_url=sys.argv[2], token=sys.argv[3])
memory = create_memory.sync(client=client, body=CreateMemoryBody(name="From Python"))
texts = AddDocumentsJsonBody(documents=[AddDocumentsJsonBodyDocumentsItem(title="Lift", text="The lift is out of order.")])
added = add_documents.sync(memory.id, client=client, body=texts)
file = File(payload=BytesIO(b"Refunds arrive within five working days."), file_name="refunds.txt")
add_documents.sync(memory.id, client=client, body=AddDocumentsFilesBody(file=file))
document = get_document.sync(memory.id, added.document_ids[0], client=client)
found = find.sync(memory.id, client=client, body=FindBody(query="When are refunds paid?"))
print(document.title, get_memory.sync(memory.id, client=client).document_count, found.hits[0].text, sep="|")

"""A retriever for LangChain: ``pip install "./clients/python[langchain]"``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from ._client import AsyncRecollect, Recollect
from .models import Hit


class RecollectRetriever(BaseRetriever):
    """Finds passages of a memory. The metadata of a document says where the passage is."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    client: Recollect
    memory_id: str
    async_client: Optional[AsyncRecollect] = None
    """Client of ``ainvoke``; without it, ``client`` runs in a thread."""
    limit: int = 5
    options: Dict[str, Any] = {}
    """Further arguments of ``find``, such as ``{"filter": {"tags": ["hr"]}}``."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> List[Document]:
        answer = self.client.find(self.memory_id, query, limit=self.limit, **self.options)
        return [to_document(hit) for hit in answer.hits]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> List[Document]:
        if self.async_client is None:
            return await super()._aget_relevant_documents(query, run_manager=run_manager)
        answer = await self.async_client.find(
            self.memory_id, query, limit=self.limit, **self.options
        )
        return [to_document(hit) for hit in answer.hits]


def to_document(hit: Hit) -> Document:
    """A passage as a document of LangChain."""
    return Document(id=hit.chunk_id, page_content=hit.text, metadata=metadata_of(hit))


def metadata_of(hit: Hit) -> Dict[str, Union[str, int, float, bool, List[str], None]]:
    """Where a passage is, after the metadata of its document."""
    return {
        **hit.metadata,
        "document_id": hit.document_id,
        "chunk_id": hit.chunk_id,
        "title": hit.title,
        "page": hit.page,
        "section": hit.section,
        "url": hit.url,
        "tags": hit.tags,
        "score": hit.score,
    }

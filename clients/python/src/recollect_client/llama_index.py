"""A retriever for LlamaIndex: ``pip install "./clients/python[llama-index]"``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from ._client import AsyncRecollect, Recollect
from .models import Hit


class RecollectRetriever(BaseRetriever):
    """Finds passages of a memory. The metadata of a node says where the passage is."""

    def __init__(
        self,
        client: Recollect,
        memory_id: str,
        *,
        async_client: Optional[AsyncRecollect] = None,
        limit: int = 5,
        options: Optional[Dict[str, Any]] = None,
    ) -> None:
        """Makes a retriever.

        Args:
            client: Client of ``retrieve``.
            memory_id: Memory to search.
            async_client: Client of ``aretrieve``; without it, ``client`` blocks the loop.
            limit: Maximum number of passages.
            options: Further arguments of ``find``, such as ``{"mode": "lexical"}``.
        """
        super().__init__()
        self._client = client
        self._async_client = async_client
        self._memory_id = memory_id
        self._options: Dict[str, Any] = {**(options or {}), "limit": limit}

    def _retrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        answer = self._client.find(self._memory_id, query_bundle.query_str, **self._options)
        return [to_node(hit) for hit in answer.hits]

    async def _aretrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        if self._async_client is None:
            return self._retrieve(query_bundle)
        answer = await self._async_client.find(
            self._memory_id, query_bundle.query_str, **self._options
        )
        return [to_node(hit) for hit in answer.hits]


def to_node(hit: Hit) -> NodeWithScore:
    """A passage as a node of LlamaIndex, with its score."""
    metadata = {
        **hit.metadata,
        "document_id": hit.document_id,
        "title": hit.title,
        "page": hit.page,
        "section": hit.section,
        "url": hit.url,
    }
    return NodeWithScore(
        node=TextNode(id_=hit.chunk_id, text=hit.text, metadata=metadata), score=hit.score
    )

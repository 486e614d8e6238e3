"""The retrievers, where LangChain and LlamaIndex are installed."""

from __future__ import annotations

import importlib.util
import unittest

from recollect_client import AsyncRecollect, Recollect

from .service import new_name, require_service


class RetrieverTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        require_service()
        self.client = Recollect()
        self.addCleanup(self.client.close)
        self.async_client = AsyncRecollect()
        self.addAsyncCleanup(self.async_client.close)
        self.memory = self.client.memories.create(new_name())
        self.addCleanup(self.client.memories.delete, self.memory.id)
        self.client.documents.add_texts(
            self.memory.id,
            [
                {
                    "title": "Crane",
                    "text": "The crane lifts nine tonnes.",
                    "metadata": {"year": 2026},
                }
            ],
        )

    @unittest.skipUnless(importlib.util.find_spec("langchain_core"), "LangChain is not installed")
    async def test_langchain(self) -> None:
        from recollect_client.langchain import RecollectRetriever

        retriever = RecollectRetriever(client=self.client, memory_id=self.memory.id, limit=3)
        (document,) = retriever.invoke("What does the crane lift?")
        self.assertEqual(document.page_content, "The crane lifts nine tonnes.")
        self.assertEqual((document.metadata["title"], document.metadata["year"]), ("Crane", 2026))
        self.assertEqual(len(await retriever.ainvoke("crane")), 1)
        awaited = RecollectRetriever(
            client=self.client, async_client=self.async_client, memory_id=self.memory.id
        )
        self.assertEqual(len(await awaited.ainvoke("crane")), 1)

    @unittest.skipUnless(importlib.util.find_spec("llama_index"), "LlamaIndex is not installed")
    async def test_llama_index(self) -> None:
        from recollect_client.llama_index import RecollectRetriever

        retriever = RecollectRetriever(
            self.client, self.memory.id, async_client=self.async_client, options={"mode": "lexical"}
        )
        (node,) = retriever.retrieve("What does the crane lift?")
        self.assertEqual(node.get_content(), "The crane lifts nine tonnes.")
        self.assertGreater(node.score or 0, 0)
        self.assertEqual(len(await retriever.aretrieve("crane")), 1)

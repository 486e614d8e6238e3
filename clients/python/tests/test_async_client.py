from __future__ import annotations

import os
import tempfile
import unittest

from recollect_client import AsyncRecollect, DoneEvent
from recollect_client.models import AcceptedDocuments

from .service import new_name, require_service


class AsyncClientTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        require_service()
        self.client = AsyncRecollect()
        self.addAsyncCleanup(self.client.close)
        self.memory = await self.client.memories.create(new_name())
        self.addAsyncCleanup(self.client.memories.delete, self.memory.id)

    async def test_adds_finds_asks_and_lists(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "crane.txt")
            with open(path, "w") as file:
                file.write("The crane lifts nine tonnes.")
            added = await self.client.documents.add_file(
                self.memory.id, path, async_=True, wait=True
            )
        assert isinstance(added, AcceptedDocuments)
        self.assertEqual((await self.client.jobs.wait(added.job_id)).status, "completed")
        found = await self.client.find(self.memory.id, "What does the crane lift?")
        self.assertEqual(found.hits[0].text, "The crane lifts nine tonnes.")
        events = [
            event
            async for event in self.client.ask_stream(self.memory.id, "What does the crane lift?")
        ]
        self.assertIsInstance(events[-1], DoneEvent)
        titles = [document.title async for document in self.client.documents.list(self.memory.id)]
        self.assertEqual(titles, ["crane"])

    async def test_exports(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "memory.tar.gz")
            await self.client.memories.export(self.memory.id, path)
            self.assertGreater(os.path.getsize(path), 100)

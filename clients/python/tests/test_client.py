from __future__ import annotations

import io
import os
import tempfile
import unittest
from pathlib import Path
from typing import List

from recollect_client import (
    AuthenticationError,
    CitationEvent,
    DoneEvent,
    InvalidRequestError,
    JobFailedError,
    NotFoundError,
    Recollect,
    TokenEvent,
)
from recollect_client.models import AcceptedDocuments, AddedDocuments

from .service import new_name, require_service


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        require_service()
        self.client = Recollect()
        self.addCleanup(self.client.close)
        self.memory = self.client.memories.create(new_name(), description="A test.")
        self.addCleanup(self.client.memories.delete, self.memory.id)
        self.client.documents.add_texts(
            self.memory.id,
            [
                {
                    "title": "Crane",
                    "text": "The crane lifts nine tonnes.",
                    "tags": ["gear"],
                    "metadata": {"year": 2026, "spare": None},
                },
                {
                    "title": "Refunds",
                    "text": "Refunds go back to the card that paid, within five working days.",
                },
            ],
        )

    def test_finds_passages_with_attributes_in_snake_case(self) -> None:
        answer = self.client.find(
            self.memory.id, "what does the crane lift", filter={"tags": ["gear"]}
        )
        hit = answer.hits[0]
        self.assertEqual((hit.title, hit.start_offset, hit.metadata["year"]), ("Crane", 0, 2026))
        self.assertIsInstance(hit.metadata["year"], int)
        self.assertEqual(answer.to_dict()["hits"][0]["documentId"], hit.document_id)

    def test_answers_with_citations_and_declines(self) -> None:
        answer = self.client.ask(self.memory.id, "When are refunds paid?", include_sources=True)
        self.assertTrue(answer.answered)
        self.assertIn("five working days", answer.answer)
        self.assertEqual(answer.citations[0].title, "Refunds")
        self.assertFalse(self.client.ask(self.memory.id, "Who painted the Mona Lisa?").answered)

    def test_streams_an_answer(self) -> None:
        events = list(self.client.ask_stream(self.memory.id, "When are refunds paid?"))
        text = "".join(event.text for event in events if isinstance(event, TokenEvent))
        self.assertTrue(any(isinstance(event, CitationEvent) for event in events))
        last = events[-1]
        assert isinstance(last, DoneEvent)
        self.assertEqual(last.answer.answer.strip(), text.strip())

    def test_uploads_paths_bytes_and_open_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ropes.md"
            path.write_text("# Ropes\n\nRopes are kept in the loft.\n")
            by_path = self.client.documents.add_file(self.memory.id, path, tags=["loft"])
            content = path.read_bytes().replace(b"loft", b"shed")
            by_bytes = self.client.documents.add_file(
                self.memory.id, ("sails.md", content), title="Sails", metadata={"n": 1}
            )
            by_file = self.client.documents.add_file(
                self.memory.id, ("oars.md", io.BytesIO(b"Oars are in rack 4."))
            )
        for added, title in ((by_path, "Ropes"), (by_bytes, "Sails"), (by_file, "oars")):
            document = self.client.documents.get(self.memory.id, added.document_ids[0])
            self.assertEqual(document.title, title)
        text = self.client.documents.get_text(self.memory.id, by_path.document_ids[0])
        self.assertIn("kept in the loft", text)

    def test_waits_for_jobs(self) -> None:
        added = self.client.documents.add_file(
            self.memory.id, ("late.txt", b"Late, but there."), async_=True, wait=True
        )
        assert isinstance(added, AcceptedDocuments)
        document = self.client.documents.get(self.memory.id, added.document_ids[0])
        self.assertEqual(document.status, "ready")
        seen: List[str] = []
        job = self.client.jobs.wait(added.job_id, on_progress=lambda job: seen.append(job.status))
        self.assertEqual((job.status, seen[-1]), ("completed", "completed"))
        with self.assertRaises(JobFailedError) as failed:
            self.client.documents.add_file(
                self.memory.id, ("broken.pdf", b"%PDF-1.7\nnothing"), async_=True, wait=True
            )
        self.assertRegex(failed.exception.job_id, "^job_")

    def test_lists_over_pages(self) -> None:
        numbers = range(105)
        self.client.documents.add_texts(
            self.memory.id, [{"title": f"Note {n}", "text": f"Note {n}."} for n in numbers]
        )
        titles = {document.title for document in self.client.documents.list(self.memory.id)}
        self.assertEqual(len(titles), 107)
        page = self.client.documents.list_page(self.memory.id, limit=5)
        self.assertEqual((len(page.documents), page.has_more, page.total), (5, True, 107))

    def test_changes_only_what_is_given(self) -> None:
        changed = self.client.memories.change(self.memory.id, name=new_name())
        self.assertEqual(changed.description, "A test.")
        self.assertIsNone(self.client.memories.change(self.memory.id, description=None).description)

    def test_exports_and_imports(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "memory.tar.gz")
            self.client.memories.export(self.memory.id, path)
            self.assertEqual(os.listdir(folder), ["memory.tar.gz"])
            imported = self.client.memories.import_(path, name=new_name())
        assert not isinstance(imported, AcceptedDocuments)
        self.addCleanup(self.client.memories.delete, imported.id)
        self.assertEqual(imported.document_count, 2)

    def test_corrects_and_deletes(self) -> None:
        correction = self.client.corrections.add(self.memory.id, "The crane lifts ten tonnes.")
        hit = self.client.find(self.memory.id, "what does the crane lift").hits[0]
        self.assertEqual((hit.kind, hit.document_id), ("correction", correction.id))
        self.client.documents.delete(self.memory.id, correction.id)
        deleted = self.client.documents.delete_many(
            self.memory.id, filter={"tags": ["gear"]}, dry_run=True
        )
        self.assertEqual(deleted.matched, 1)

    def test_raises_errors_with_their_code_and_remedy(self) -> None:
        with self.assertRaises(NotFoundError) as missing:
            self.client.memories.get("mem_01jd0000000000000000000000")
        self.assertEqual(missing.exception.code, "memory_not_found")
        self.assertRegex(str(missing.exception.request_id), "^req_")
        with self.assertRaises(InvalidRequestError) as invalid:
            self.client.find(self.memory.id, "x", limit=1000)
        self.assertEqual(invalid.exception.param, "options.limit")
        with Recollect(api_key="rcl_wrong") as stranger, self.assertRaises(AuthenticationError):
            stranger.account()

    def test_adds_say_what_was_added(self) -> None:
        added = self.client.documents.add_texts(self.memory.id, [{"text": "One more."}])
        assert isinstance(added, AddedDocuments)
        self.assertEqual((added.documents_added, added.documents[0].status), (1, "ready"))

"""Attempts of requests, without a service."""

from __future__ import annotations

import io
import unittest
from typing import Any, Callable, List
from unittest import mock

import httpx

from recollect_client import (
    ConnectionFailedError,
    InvalidRequestError,
    LimitError,
    Recollect,
    ServiceError,
)

HEALTH = {"status": "healthy", "version": "1", "timestamp": "2026-01-01T00:00:00.000Z"}
PROJECT = {"id": "prj_1", "name": "P", "memoryCount": 0, "createdAt": "x", "updatedAt": "x"}
ADDED = {
    "status": "completed",
    "documentsAdded": 1,
    "documentsSkipped": 0,
    "chunksCreated": 1,
    "documentIds": ["doc_1"],
    "totalBytes": 1,
    "processingMs": 1,
    "documents": [],
    "warnings": [],
}


def error(code: str) -> dict[str, Any]:
    return {
        "error": {"code": code, "message": code, "param": None, "details": [], "remedy": "Wait."}
    }


class RetriesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.requests: List[httpx.Request] = []
        self.bodies: List[bytes] = []
        sleep = mock.patch("time.sleep")
        self.sleep = sleep.start()
        self.addCleanup(sleep.stop)

    def client(self, *answers: Callable[[httpx.Request], httpx.Response]) -> Recollect:
        rest = list(answers)

        def answer(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            self.bodies.append(request.read())
            return rest.pop(0)(request)

        http = httpx.Client(transport=httpx.MockTransport(answer))
        client = Recollect("http://service.test/", "key", http_client=http)
        self.addCleanup(client.close)
        return client

    def test_repeats_a_post_with_its_idempotency_key(self) -> None:
        client = self.client(refuse, fail(503, "service_unavailable", "2"), say(201, PROJECT))
        self.assertEqual(client.projects.create("P").id, "prj_1")
        keys = {request.headers["idempotency-key"] for request in self.requests}
        self.assertEqual((len(self.requests), len(keys), len(set(self.bodies))), (3, 1, 1))
        self.assertEqual(self.sleep.call_args_list[1], mock.call(2.0))

    def test_gives_up_after_two_retries(self) -> None:
        unavailable = fail(503, "service_unavailable")
        with self.assertRaises(ServiceError):
            self.client(*[unavailable] * 3).health()
        with self.assertRaises(ConnectionFailedError):
            self.client(refuse, refuse, refuse).health()

    def test_repeats_no_permanent_error_and_waits_for_no_long_pause(self) -> None:
        with self.assertRaises(LimitError):
            self.client(fail(429, "query_quota_exceeded")).health()
        with self.assertRaises(LimitError):
            self.client(fail(429, "rate_limited", "3600")).health()

    def test_waits_for_an_attempt_in_progress(self) -> None:
        running = fail(409, "idempotency_in_progress", "1")
        client = self.client(*[running] * 5, say(201, PROJECT))
        self.assertEqual(client.projects.create("P").name, "P")

    def test_a_repeated_deletion_that_finds_nothing_has_worked(self) -> None:
        self.client(refuse, fail(404, "project_not_found")).projects.delete("prj_1")

    def test_repeats_uploads_whole(self) -> None:
        client = self.client(fail(503, "x"), say(200, ADDED))
        client.documents.add_file("mem_1", ("a.txt", io.BytesIO(b"the whole file")))
        parts = [body.split(b"\r\n\r\n")[1].split(b"\r\n")[0] for body in self.bodies]
        self.assertEqual(parts, [b"the whole file", b"the whole file"])

    def test_sends_a_stream_that_cannot_be_read_again_once(self) -> None:
        class Pipe(io.BytesIO):
            def seekable(self) -> bool:
                return False

        with self.assertRaises(ServiceError):
            self.client(fail(503, "x")).documents.add_file("mem_1", ("a.txt", Pipe(b"once")))

    def test_keeps_what_a_newer_service_adds(self) -> None:
        client = self.client(say(200, {**HEALTH, "status": "superb", "newField": 1}))
        health = client.health()
        self.assertEqual((health.status, health.to_dict()["newField"]), ("superb", 1))

    def test_names_an_answer_that_is_not_from_the_service(self) -> None:
        page = httpx.Response(404, text="<html><b>No such page</b></html>")
        with self.assertRaisesRegex(Exception, "not from Recollect: No such page"):
            self.client(lambda _: page).health()

    def test_refuses_what_cannot_be_sent(self) -> None:
        for url, key in (("ftp://host", "k"), ("host", "k"), ("http://host", "k\nx")):
            with self.assertRaises(InvalidRequestError):
                Recollect(url, key)


def say(status: int, body: object) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(status, json=body)


def fail(status: int, code: str, pause: str = "0") -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(status, json=error(code), headers={"retry-after": pause})


def refuse(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused", request=request)


class GroupsTest(unittest.TestCase):
    def test_both_clients_have_each_group_of_operations(self) -> None:
        from recollect_client import AsyncRecollect, _async_resources, _resources
        from recollect_client._resource import AsyncResource, Resource

        pairs = (
            (Recollect("http://service.test"), _resources, Resource),
            (AsyncRecollect("http://service.test"), _async_resources, AsyncResource),
        )
        for client, module, base in pairs:
            groups = [each for each in vars(module).values() if isinstance(each, type)]
            for group in groups:
                if issubclass(group, base) and group is not base and not isinstance(client, group):
                    attributes = vars(client).values()
                    self.assertTrue(any(isinstance(each, group) for each in attributes), group)

"""Errors of requests."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Mapping, Optional, Type


class RecollectError(Exception):
    """A failed request. Subclasses correspond to statuses; ``code`` is the exact error."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        param: Optional[str] = None,
        details: Optional[List[Dict[str, str]]] = None,
        remedy: str = "",
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """Error code of the service, such as ``memory_not_found``."""
        self.status = status
        """HTTP status; 0 without a response."""
        self.param = param
        """Invalid field of the request."""
        self.details = details or []
        """All invalid fields, as ``param`` and ``message``."""
        self.remedy = remedy
        """What the caller can do."""
        self.request_id = request_id

    def __str__(self) -> str:
        return " ".join(part for part in (self.message, self.remedy) if part)


class InvalidRequestError(RecollectError):
    """400: the request is invalid; ``param`` and ``details`` name the fields."""


class AuthenticationError(RecollectError):
    """401: the API key is missing or invalid."""


class ForbiddenError(RecollectError):
    """403: the key lacks permission, or a quota is exceeded."""


class NotFoundError(RecollectError):
    """404: the resource does not exist, or the key has no access."""


class ConflictError(RecollectError):
    """409: the request conflicts with the current state."""


class TooLargeError(RecollectError):
    """413: the request or file is too large."""


class UnsupportedTypeError(RecollectError):
    """415: unsupported file type; the message lists the supported types."""


class UnprocessableError(RecollectError):
    """422: the content cannot be processed, such as an encrypted document."""


class LimitError(RecollectError):
    """429: too many requests, or the monthly query quota is exceeded."""


class ServiceError(RecollectError):
    """5xx: the service failed, after all retries."""


class ConnectionFailedError(RecollectError):
    """No response: the connection failed or broke, or the time ran out."""


class JobFailedError(RecollectError):
    """A job that was waited for has failed; ``job_id`` names it."""

    def __init__(self, message: str, *, code: str, job_id: str) -> None:
        super().__init__(message, code=code, status=200)
        self.job_id = job_id


_BY_STATUS: Mapping[int, Type[RecollectError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: TooLargeError,
    415: UnsupportedTypeError,
    422: UnprocessableError,
    429: LimitError,
}


def to_error(status: int, text: str, request_id: Optional[str] = None) -> RecollectError:
    """The error of an unsuccessful response, also of one from a proxy."""
    kind = _BY_STATUS.get(status, ServiceError if status >= 500 else RecollectError)
    body = _parse(text)
    if body is None:
        words = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text[:2000])).strip()[:200]
        return kind(
            f"Unexpected response (status {status}), not from Recollect: {words or 'empty body'}",
            code="foreign_answer",
            status=status,
            remedy="Check the base URL, and any proxy in front of the service.",
            request_id=request_id,
        )
    return kind(
        str(body.get("message", "")),
        code=body["code"],
        status=status,
        param=body.get("param"),
        details=body.get("details"),
        remedy=str(body.get("remedy", "")),
        request_id=body.get("requestId", request_id),
    )


def _parse(text: str) -> Optional[Dict[str, Any]]:
    try:
        error = json.loads(text)["error"]
        return error if isinstance(error["code"], str) else None
    except (ValueError, KeyError, TypeError):
        return None

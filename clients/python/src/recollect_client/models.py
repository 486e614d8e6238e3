"""Answers of the API.

Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
"""

from __future__ import annotations

from typing import Dict, List, Literal, Optional, Union

from pydantic import Field

from ._model import Model


class Health(Model):
    """The service is running."""

    status: Union[Literal["healthy"], str]
    """Always `healthy`."""
    version: str
    """Version of the service."""
    timestamp: str
    """Current time of the service. ISO 8601, UTC, with milliseconds."""


class ReadinessChecksValue(Model):
    status: Union[Literal["up", "down"], str]
    """Result of the check."""
    latency_ms: Optional[float] = Field(default=None, alias="latencyMs")
    """Duration of the check, in milliseconds. Present if `status` is `up`."""
    error: Optional[str] = Field(default=None)
    """Cause of the failure. Present if `status` is `down`."""
    optional: Optional[bool] = Field(default=None)
    """True if the service is ready without this dependency. Absent otherwise."""


class Readiness(Model):
    """Readiness of the service and its dependencies."""

    status: Union[Literal["ready", "degraded"], str]
    """`ready` if all required dependencies are available."""
    version: str
    """Version of the service."""
    timestamp: str
    """Current time of the service. ISO 8601, UTC, with milliseconds."""
    checks: Dict[str, ReadinessChecksValue]
    """Checks by name: `database`, `objectStore`, and optional dependencies."""


class Key(Model):
    """An API key, without the secret."""

    id: str
    """Unique identifier of the key. Starts with `key_`."""
    name: str
    """Display name of the key."""
    key_preview: str = Field(alias="keyPreview")
    """First 8 and last 4 characters of the key."""
    scope: Union[Literal["organization", "memory"], str]
    """Scope of the key: the whole organization, or some memories."""
    role: Union[Literal["admin", "writer", "reader"], str]
    """Role of the key: admins manage keys, writers change data, readers read."""
    memory_id: Optional[str] = Field(alias="memoryId")
    """Memory of a key of one memory. Null for other keys."""
    memory_ids: List[str] = Field(alias="memoryIds")
    """Memories of a memory-scoped key. Empty for an organization key."""
    created_at: str = Field(alias="createdAt")
    """Time at which the key was created. ISO 8601, UTC, with milliseconds."""
    last_used_at: Optional[str] = Field(alias="lastUsedAt")
    """Time of the last use, accurate to about a minute. Null if never used."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time at which the key expires. Null if it never expires."""


class ApiWarning(Model):
    """A problem that did not stop the request."""

    code: str
    """Stable warning code, such as `unknown_field`."""
    message: str
    """Description of the problem, for people."""
    param: Optional[str]
    """Request field that caused the warning. Null if there is none."""


class ListKeysPage(Model):
    keys: List[Key]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class NewKey(Model):
    """A new API key, with its secret."""

    id: str
    """Unique identifier of the key. Starts with `key_`."""
    name: str
    """Display name of the key."""
    key_preview: str = Field(alias="keyPreview")
    """First 8 and last 4 characters of the key."""
    scope: Union[Literal["organization", "memory"], str]
    """Scope of the key: the whole organization, or some memories."""
    role: Union[Literal["admin", "writer", "reader"], str]
    """Role of the key: admins manage keys, writers change data, readers read."""
    memory_id: Optional[str] = Field(alias="memoryId")
    """Memory of a key of one memory. Null for other keys."""
    memory_ids: List[str] = Field(alias="memoryIds")
    """Memories of a memory-scoped key. Empty for an organization key."""
    created_at: str = Field(alias="createdAt")
    """Time at which the key was created. ISO 8601, UTC, with milliseconds."""
    last_used_at: Optional[str] = Field(alias="lastUsedAt")
    """Time of the last use, accurate to about a minute. Null if never used."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time at which the key expires. Null if it never expires."""
    key: Optional[str]
    """The secret API key. Returned only once: a replayed response (same Idempotency-Key) has null
    here.
    """


class OwnKey(Model):
    """The API key of the request, or the person who signed in."""

    id: str
    """Unique identifier of the key. Starts with `key_`, for a person who signed in with `usr_`."""
    name: str
    """Display name of the key, or of the person."""
    scope: Union[Literal["organization", "memory"], str]
    """Scope of the key: the whole organization, or some memories."""
    role: Union[Literal["admin", "writer", "reader"], str]
    """Role of the key: admins manage keys, writers change data, readers read."""
    memory_id: Optional[str] = Field(alias="memoryId")
    """Memory of a key of one memory. Null for other keys."""
    memory_ids: List[str] = Field(alias="memoryIds")
    """Memories of a memory-scoped key. Empty for an organization key."""


class ChangedKey(Model):
    """A key after a change, without the secret."""

    id: str
    """Unique identifier of the key. Starts with `key_`."""
    name: str
    """Display name of the key."""
    key_preview: str = Field(alias="keyPreview")
    """First 8 and last 4 characters of the key."""
    scope: Union[Literal["organization", "memory"], str]
    """Scope of the key: the whole organization, or some memories."""
    role: Union[Literal["admin", "writer", "reader"], str]
    """Role of the key: admins manage keys, writers change data, readers read."""
    memory_id: Optional[str] = Field(alias="memoryId")
    """Memory of a key of one memory. Null for other keys."""
    memory_ids: List[str] = Field(alias="memoryIds")
    """Memories of a memory-scoped key. Empty for an organization key."""
    created_at: str = Field(alias="createdAt")
    """Time at which the key was created. ISO 8601, UTC, with milliseconds."""
    last_used_at: Optional[str] = Field(alias="lastUsedAt")
    """Time of the last use, accurate to about a minute. Null if never used."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time at which the key expires. Null if it never expires."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class Organization(Model):
    """A tenant of the installation. Memories and keys of an organization are invisible to all
    others.
    """

    id: str
    """Unique identifier of the organization. Starts with `org_`."""
    name: str
    """Display name of the organization."""
    plan: Union[Literal["free", "starter", "unlimited"], str]
    """Plan of the organization. It sets the limits of storage, memories and queries."""
    created_at: str = Field(alias="createdAt")
    """Time at which the organization was created. ISO 8601, UTC, with milliseconds."""


class ListOrganizationsPage(Model):
    organizations: List[Organization]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class NewOrganization(Model):
    """A new organization, with its first key."""

    id: str
    """Unique identifier of the organization. Starts with `org_`."""
    name: str
    """Display name of the organization."""
    plan: Union[Literal["free", "starter", "unlimited"], str]
    """Plan of the organization. It sets the limits of storage, memories and queries."""
    created_at: str = Field(alias="createdAt")
    """Time at which the organization was created. ISO 8601, UTC, with milliseconds."""
    key_id: str = Field(alias="keyId")
    """Identifier of the organization's first key."""
    key: Optional[str]
    """Secret of the organization's first key, which has full access to the organization. Returned
    only once: a replayed response (same Idempotency-Key) has null here.
    """


class AccountOrganization(Model):
    """Organization that owns the API key."""

    id: str
    """Unique identifier of the organization. Starts with `org_`."""
    name: str
    """Display name of the organization."""
    created_at: str = Field(alias="createdAt")
    """Time at which the organization was created. ISO 8601, UTC, with milliseconds."""


class AccountPlanLimits(Model):
    """Limits of the plan."""

    storage_bytes: Optional[int] = Field(alias="storageBytes")
    """Maximum bytes of stored originals plus extracted text. Null if unlimited."""
    memories: Optional[int]
    """Maximum number of memories. Null if unlimited."""
    queries_per_month: Optional[int] = Field(alias="queriesPerMonth")
    """Maximum number of queries per calendar month. Null if unlimited. Each find, search and ask
    request counts as one query.
    """
    max_file_bytes: int = Field(alias="maxFileBytes")
    """Maximum size of an added file, in bytes."""
    max_image_bytes: int = Field(alias="maxImageBytes")
    """Maximum size of an image, in bytes."""
    request_timeout_seconds: int = Field(alias="requestTimeoutSeconds")
    """Request timeout, in seconds."""
    request_body_bytes: int = Field(alias="requestBodyBytes")
    """Maximum size of a request body, in bytes."""


class AccountPlan(Model):
    """Plan of the organization."""

    id: Union[Literal["free", "starter", "unlimited"], str]
    """Identifier of the plan."""
    name: str
    """Display name of the plan."""
    limits: AccountPlanLimits
    """Limits of the plan."""


class AccountUsagePeriod(Model):
    """Calendar month (UTC) over which queries are counted."""

    start: str
    """Start of the month. ISO 8601, UTC, with milliseconds."""
    end: str
    """Start of the next month, when the query count resets to 0. ISO 8601, UTC, with milliseconds.
    """


class AccountUsage(Model):
    """Current usage of the organization."""

    storage_bytes: int = Field(alias="storageBytes")
    """Bytes of stored originals plus extracted text (UTF-8)."""
    memories: int
    """Number of memories."""
    documents: int
    """Number of documents in all memories, excluding corrections."""
    queries: int
    """Number of queries in the current calendar month: find, search and ask requests."""
    period: AccountUsagePeriod
    """Calendar month (UTC) over which queries are counted."""


class Account(Model):
    """An organization with its plan and usage."""

    organization: AccountOrganization
    """Organization that owns the API key."""
    plan: AccountPlan
    """Plan of the organization."""
    usage: AccountUsage
    """Current usage of the organization."""
    api_key: Optional[OwnKey] = Field(alias="apiKey")
    """API key of the request, or the person who signed in. Null if authentication is disabled."""


class UsageDay(Model):
    """Usage of a day."""

    day: str
    """Day in UTC, such as `2026-11-28`."""
    finds: int
    """Answered find and search requests."""
    asks: int
    """Answered questions, including those without an answer."""
    asks_declined: int = Field(alias="asksDeclined")
    """Questions without an answer (`answered` is false)."""
    extractions: int
    """Extractions."""
    failed_requests: int = Field(alias="failedRequests")
    """Requests of any kind with a status of 500 or more."""
    documents_added: int = Field(alias="documentsAdded")
    """Documents added, excluding corrections and imports."""
    pages_recognized: int = Field(alias="pagesRecognized")
    """Pages and images of added documents whose text was recognized (OCR)."""
    pages_with_text: int = Field(alias="pagesWithText")
    """Pages, sheets and slides of added documents that contain text."""
    find_p50_ms: Optional[int] = Field(alias="findP50Ms")
    """Median of the times of finds, in milliseconds, estimated. Null without finds."""
    find_p95_ms: Optional[int] = Field(alias="findP95Ms")
    """95th percentile of the times of finds, in milliseconds, estimated. Null without finds."""
    ask_p50_ms: Optional[int] = Field(alias="askP50Ms")
    """Median of the times of asks, in milliseconds, estimated. Null without asks."""
    ask_p95_ms: Optional[int] = Field(alias="askP95Ms")
    """95th percentile of the times of asks, in milliseconds, estimated. Null without asks."""
    storage_bytes: Optional[int] = Field(alias="storageBytes")
    """Bytes of stored originals plus extracted text at the end. Null if not measured."""
    documents: Optional[int]
    """Documents at the end, excluding corrections. Null if not measured."""
    chunks: Optional[int]
    """Chunks at the end. Null if not measured."""


class UsageFigures(Model):
    """Usage of some days together. Sizes are the last ones."""

    finds: int
    """Answered find and search requests."""
    asks: int
    """Answered questions, including those without an answer."""
    asks_declined: int = Field(alias="asksDeclined")
    """Questions without an answer (`answered` is false)."""
    extractions: int
    """Extractions."""
    failed_requests: int = Field(alias="failedRequests")
    """Requests of any kind with a status of 500 or more."""
    documents_added: int = Field(alias="documentsAdded")
    """Documents added, excluding corrections and imports."""
    pages_recognized: int = Field(alias="pagesRecognized")
    """Pages and images of added documents whose text was recognized (OCR)."""
    pages_with_text: int = Field(alias="pagesWithText")
    """Pages, sheets and slides of added documents that contain text."""
    find_p50_ms: Optional[int] = Field(alias="findP50Ms")
    """Median of the times of finds, in milliseconds, estimated. Null without finds."""
    find_p95_ms: Optional[int] = Field(alias="findP95Ms")
    """95th percentile of the times of finds, in milliseconds, estimated. Null without finds."""
    ask_p50_ms: Optional[int] = Field(alias="askP50Ms")
    """Median of the times of asks, in milliseconds, estimated. Null without asks."""
    ask_p95_ms: Optional[int] = Field(alias="askP95Ms")
    """95th percentile of the times of asks, in milliseconds, estimated. Null without asks."""
    storage_bytes: Optional[int] = Field(alias="storageBytes")
    """Bytes of stored originals plus extracted text at the end. Null if not measured."""
    documents: Optional[int]
    """Documents at the end, excluding corrections. Null if not measured."""
    chunks: Optional[int]
    """Chunks at the end. Null if not measured."""


class UsageGroup(Model):
    """Usage of a memory or of a key."""

    id: Optional[str]
    """Memory or key. Null for requests of several memories or of none, for people and requests
    without a key, and for deleted memories and revoked keys.
    """
    days: List[UsageDay]
    """Every day of the range, earliest first."""
    totals: UsageFigures


class Usage(Model):
    """Usage by day."""

    from_: str = Field(alias="from")
    """First day of the range."""
    to: str
    """Last day of the range."""
    days: List[UsageDay]
    """Every day of the range, earliest first."""
    totals: UsageFigures
    group_by: Optional[Union[Literal["memory", "key"], str]] = Field(alias="groupBy")
    """Grouping of the request. Null without one."""
    groups: List[UsageGroup]
    """The memories or keys with the most requests and added documents, at most 50. Empty if
    ungrouped.
    """
    groups_left_out: int = Field(alias="groupsLeftOut")
    """Number of further memories or keys. The totals include them."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown fields of the request. Absent if there were none."""


class MemoryChunking(Model):
    max_characters: int = Field(alias="maxCharacters")
    """Maximum length of a chunk, in characters."""
    overlap: int
    """Maximum length of the whole sentences that a chunk of prose repeats from the end of the one
    before, in characters.
    """


class Memory(Model):
    """A searchable container of documents."""

    id: str
    """Unique identifier of the memory. Starts with `mem_`."""
    name: str
    """Name of the memory."""
    description: Optional[str]
    """Description of the memory. Null if none was given."""
    project_id: Optional[str] = Field(alias="projectId")
    """Project of the memory. Null if it has none."""
    project_name: Optional[str] = Field(alias="projectName")
    """Name of the project. Null if the memory has none."""
    status: Union[Literal["ready"], str]
    """State of the memory. Always `ready`."""
    document_count: int = Field(alias="documentCount")
    """Number of searchable documents. Lists also include pending and failed ones."""
    chunk_count: int = Field(alias="chunkCount")
    """Number of chunks of searchable documents. Searches return chunks as passages."""
    correction_count: int = Field(alias="correctionCount")
    """Number of corrections."""
    size_bytes: int = Field(alias="sizeBytes")
    """Bytes of stored originals plus extracted text (UTF-8)."""
    embedding_model: Optional[str] = Field(alias="embeddingModel")
    """Embedding model of the memory. Null until the first document is added."""
    chunking: Optional[MemoryChunking]
    """Sizes of the chunks, from the creation of the memory. Null: the default."""
    created_at: str = Field(alias="createdAt")
    """Time at which the memory was created. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time of the last change to the memory or its content. ISO 8601, UTC, with milliseconds."""


class ListMemoriesPage(Model):
    memories: List[Memory]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class NewMemoryChunking(Model):
    max_characters: int = Field(alias="maxCharacters")
    """Maximum length of a chunk, in characters."""
    overlap: int
    """Maximum length of the whole sentences that a chunk of prose repeats from the end of the one
    before, in characters.
    """


class NewMemory(Model):
    """A new memory."""

    id: str
    """Unique identifier of the memory. Starts with `mem_`."""
    name: str
    """Name of the memory."""
    description: Optional[str]
    """Description of the memory. Null if none was given."""
    project_id: Optional[str] = Field(alias="projectId")
    """Project of the memory. Null if it has none."""
    project_name: Optional[str] = Field(alias="projectName")
    """Name of the project. Null if the memory has none."""
    status: Union[Literal["ready"], str]
    """State of the memory. Always `ready`."""
    document_count: int = Field(alias="documentCount")
    """Number of searchable documents. Lists also include pending and failed ones."""
    chunk_count: int = Field(alias="chunkCount")
    """Number of chunks of searchable documents. Searches return chunks as passages."""
    correction_count: int = Field(alias="correctionCount")
    """Number of corrections."""
    size_bytes: int = Field(alias="sizeBytes")
    """Bytes of stored originals plus extracted text (UTF-8)."""
    embedding_model: Optional[str] = Field(alias="embeddingModel")
    """Embedding model of the memory. Null until the first document is added."""
    chunking: Optional[NewMemoryChunking]
    """Sizes of the chunks, from the creation of the memory. Null: the default."""
    created_at: str = Field(alias="createdAt")
    """Time at which the memory was created. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time of the last change to the memory or its content. ISO 8601, UTC, with milliseconds."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown fields of the request. Absent if there were none."""


class ChangedMemoryChunking(Model):
    max_characters: int = Field(alias="maxCharacters")
    """Maximum length of a chunk, in characters."""
    overlap: int
    """Maximum length of the whole sentences that a chunk of prose repeats from the end of the one
    before, in characters.
    """


class ChangedMemory(Model):
    """A memory after a change."""

    id: str
    """Unique identifier of the memory. Starts with `mem_`."""
    name: str
    """Name of the memory."""
    description: Optional[str]
    """Description of the memory. Null if none was given."""
    project_id: Optional[str] = Field(alias="projectId")
    """Project of the memory. Null if it has none."""
    project_name: Optional[str] = Field(alias="projectName")
    """Name of the project. Null if the memory has none."""
    status: Union[Literal["ready"], str]
    """State of the memory. Always `ready`."""
    document_count: int = Field(alias="documentCount")
    """Number of searchable documents. Lists also include pending and failed ones."""
    chunk_count: int = Field(alias="chunkCount")
    """Number of chunks of searchable documents. Searches return chunks as passages."""
    correction_count: int = Field(alias="correctionCount")
    """Number of corrections."""
    size_bytes: int = Field(alias="sizeBytes")
    """Bytes of stored originals plus extracted text (UTF-8)."""
    embedding_model: Optional[str] = Field(alias="embeddingModel")
    """Embedding model of the memory. Null until the first document is added."""
    chunking: Optional[ChangedMemoryChunking]
    """Sizes of the chunks, from the creation of the memory. Null: the default."""
    created_at: str = Field(alias="createdAt")
    """Time at which the memory was created. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time of the last change to the memory or its content. ISO 8601, UTC, with milliseconds."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class ArchiveMember(Model):
    """Result for a member of a ZIP archive."""

    filename: str
    """Path of the member in the archive. Empty once its document was deleted."""
    status: Union[Literal["pending", "ready", "partial", "duplicate", "unsupported", "failed", "skipped"], str]
    """`pending` until its job ends, and then `ready` or `partial` if its document is searchable.
    Other members were not added, as a `duplicate` or with a message.
    """
    document_id: Optional[str] = Field(alias="documentId")
    """Document of the member. Null if it has none."""
    duplicate_of: Optional[str] = Field(alias="duplicateOf")
    """Existing document with the same content. Null unless it is a duplicate."""
    message: Optional[str]
    """Why the member was not added. A partial document has the reason in its field error."""


class JobResult(Model):
    """Result of the job. Present if the job is completed or partial."""

    documents_added: int = Field(alias="documentsAdded")
    """Number of added documents."""
    documents_skipped: int = Field(alias="documentsSkipped")
    """Number of documents that deduplicate skipped."""
    chunks_created: int = Field(alias="chunksCreated")
    """Number of chunks created."""
    document_ids: List[str] = Field(alias="documentIds")
    """Identifiers of the added documents."""
    total_bytes: int = Field(alias="totalBytes")
    """Size of the added documents, in bytes."""
    processing_ms: int = Field(alias="processingMs")
    """Processing time, in milliseconds."""
    members: Optional[List[ArchiveMember]] = Field(default=None)
    """Result for each member. Present if the file is a ZIP archive."""
    text: Optional[str] = Field(default=None)
    """Recognized text of an image sent to …/ocr, until the document is deleted: the first 32,768
    characters. GET …/text has the whole text, and webhooks send no text.
    """
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class Job(Model):
    """A background job."""

    id: str
    """Unique identifier of the job. Starts with `job_`."""
    memory_id: Optional[str] = Field(alias="memoryId")
    """Memory of the job. Null for imports until the memory exists."""
    job_type: str = Field(alias="jobType")
    """Type of the job: documentingestion, memoryimport or reembedding."""
    status: Union[Literal["pending", "processing", "completed", "failed", "partial"], str]
    """State of the job. Final states are `completed`, `failed`, and `partial` (done, but
    incomplete).
    """
    progress: int
    """Progress in percent."""
    message: str
    """Current activity or result, for people."""
    result: Optional[JobResult] = Field(default=None)
    """Result of the job. Present if the job is completed or partial."""
    error: Optional[str] = Field(default=None)
    """Cause of the failure, prefixed with the document title if the job adds a single document.
    Present if the job failed.
    """
    error_code: Optional[str] = Field(alias="errorCode")
    """Error code, as in error responses. Null if nothing failed."""
    is_partial: bool = Field(alias="isPartial")
    """True if the job ended incomplete. A retry processes the missing parts."""
    attempts: int
    """Number of times that a worker started the job."""
    created_at: str = Field(alias="createdAt")
    """Time at which the job was created. ISO 8601, UTC, with milliseconds."""
    started_at: Optional[str] = Field(alias="startedAt")
    """Time at which a worker started the job. Null until then."""
    completed_at: Optional[str] = Field(alias="completedAt")
    """Time at which the job ended. Null until then."""


class AcceptedJob(Model):
    """A background job that was just created."""

    job_id: str = Field(alias="jobId")
    """Identifier of the background job."""
    poll_url: str = Field(alias="pollUrl")
    """Path of the job, relative to the base URL."""
    status: Union[Literal["pending"], str]
    """State of the job."""
    job: Job
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class VerificationProblem(Model):
    """A problem found in a memory."""

    code: str
    """Stable code of the problem, such as `missing_chunks`. See docs/guides/integrity-checks.md for
    all codes.
    """
    message: str
    """Description of the problem, for people."""
    document_id: Optional[str] = Field(alias="documentId")
    """Affected document. Null if the problem is not specific to a document."""
    mendable: bool
    """True if `recollect doctor --storage --fix` can repair the problem."""
    remedy: str
    """Remedy for the operator."""


class Verification(Model):
    """Result of an integrity check of a memory's metadata, memory file and stored objects."""

    ok: bool
    """True if no problems were found."""
    documents: int
    """Number of checked documents, excluding corrections."""
    chunks: int
    """Number of expected chunks, including corrections."""
    problems_found: int = Field(alias="problemsFound")
    """Total number of problems."""
    problems: List[VerificationProblem]
    """First problems."""


class ImportedMemoryChunking(Model):
    max_characters: int = Field(alias="maxCharacters")
    """Maximum length of a chunk, in characters."""
    overlap: int
    """Maximum length of the whole sentences that a chunk of prose repeats from the end of the one
    before, in characters.
    """


class ImportedMemory(Model):
    """A memory created from an archive."""

    id: str
    """Unique identifier of the memory. Starts with `mem_`."""
    name: str
    """Name of the memory."""
    description: Optional[str]
    """Description of the memory. Null if none was given."""
    project_id: Optional[str] = Field(alias="projectId")
    """Project of the memory. Null if it has none."""
    project_name: Optional[str] = Field(alias="projectName")
    """Name of the project. Null if the memory has none."""
    status: Union[Literal["ready"], str]
    """State of the memory. Always `ready`."""
    document_count: int = Field(alias="documentCount")
    """Number of searchable documents. Lists also include pending and failed ones."""
    chunk_count: int = Field(alias="chunkCount")
    """Number of chunks of searchable documents. Searches return chunks as passages."""
    correction_count: int = Field(alias="correctionCount")
    """Number of corrections."""
    size_bytes: int = Field(alias="sizeBytes")
    """Bytes of stored originals plus extracted text (UTF-8)."""
    embedding_model: Optional[str] = Field(alias="embeddingModel")
    """Embedding model of the memory. Null until the first document is added."""
    chunking: Optional[ImportedMemoryChunking]
    """Sizes of the chunks, from the creation of the memory. Null: the default."""
    created_at: str = Field(alias="createdAt")
    """Time at which the memory was created. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time of the last change to the memory or its content. ISO 8601, UTC, with milliseconds."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class AcceptedDocuments(Model):
    """Documents that a background job adds."""

    job_id: str = Field(alias="jobId")
    """Identifier of the background job."""
    poll_url: str = Field(alias="pollUrl")
    """Path of the job, relative to the base URL."""
    status: Union[Literal["pending"], str]
    """State of the job."""
    reason: Union[Literal["file_over_sync_threshold", "scanned_pages", "async_requested"], str]
    """Reason for the background job: the file or unpacked archive is larger than 2 MB, it has over
    5 scanned pages, or async is set.
    """
    document_ids: List[str] = Field(alias="documentIds")
    """Identifiers of the documents that the job adds."""
    members: Optional[List[ArchiveMember]] = Field(default=None)
    """Result for each member. Present if the file is a ZIP archive."""
    job: Job
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class DocumentCorrection(Model):
    statement: str
    """Statement of the correction."""
    topics: List[str]
    """Topics of the correction."""
    boost: float
    """Weight of the correction relative to other corrections, above 0 and at most 10."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time from which searches ignore the correction. Null if it never expires."""


class Document(Model):
    """A document of a memory, or a correction."""

    id: str
    """Unique identifier of the document. Starts with `doc_`."""
    memory_id: str = Field(alias="memoryId")
    """Memory of the document."""
    title: str
    """Title from the request, from the metadata of the file, or the file name."""
    filename: Optional[str]
    """Name of the file. Null if the document was added as text."""
    mime_type: str = Field(alias="mimeType")
    """Media type of the original, detected from its content, such as `application/pdf`."""
    source_type: Union[Literal["file", "text", "url", "ocr", "correction"], str] = Field(alias="sourceType")
    """Source of the document: an uploaded file, a text, a download, an image (OCR), or a
    correction.
    """
    url: Optional[str]
    """URL that the document was downloaded from. Null for other sources."""
    tags: List[str]
    """Tags of the document. Searches and lists can filter by tag."""
    metadata: Dict[str, Optional[Union[str, int, float, bool]]]
    """Key-value pairs that the caller attached to the document. Searches can filter by them."""
    external_id: Optional[str] = Field(alias="externalId")
    """The caller's own identifier, unique within the memory. Null if none was given."""
    status: Union[Literal["pending", "processing", "ready", "partial", "failed"], str]
    """State of the document. Searches find `ready` and `partial` documents. Some pages of a
    `partial` document could not be read.
    """
    enabled: bool
    """False if the caller has hidden the document from every search."""
    size_bytes: int = Field(alias="sizeBytes")
    """Size of the original, in bytes."""
    page_count: Optional[int] = Field(alias="pageCount")
    """Number of pages, sheets or slides. Null for formats without pages, and until the document is
    processed.
    """
    ocr_pages: int = Field(alias="ocrPages")
    """Number of pages whose text was recognized with OCR."""
    chunk_count: int = Field(alias="chunkCount")
    """Number of chunks. Searches return chunks as passages."""
    character_count: int = Field(alias="characterCount")
    """Length of the extracted text in UTF-16 code units. All offsets use this unit."""
    content_hash: Optional[str] = Field(alias="contentHash")
    """Hash of the extracted text, used to detect duplicates. Null until the document is processed.
    """
    embedding_model: Optional[str] = Field(alias="embeddingModel")
    """Embedding model of the chunks. Null until the document is processed."""
    has_source: bool = Field(alias="hasSource")
    """True if the original is stored. GET …/source returns it."""
    job_id: Optional[str] = Field(alias="jobId")
    """Job that added the document. Null if the request itself added it."""
    error: Optional[str]
    """Reason why the document failed or is incomplete. Null if it is complete."""
    created_at: str = Field(alias="createdAt")
    """Time at which the document was added. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time of the last change. ISO 8601, UTC, with milliseconds."""
    correction: Optional[DocumentCorrection]
    """Content of a correction. Null for all other documents."""


class ListDocumentsPage(Model):
    documents: List[Document]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class AddedDocumentsDocument(Model):
    id: Optional[str]
    """Identifier of the new document. Null if it was skipped."""
    title: str
    """Title of the document."""
    status: Union[Literal["ready", "partial", "duplicate"], str]
    """`ready` if the document is searchable, `partial` if it is searchable but some pages could not
    be read, `duplicate` if it was skipped.
    """
    chunk_count: int = Field(alias="chunkCount")
    """Number of chunks of the document."""
    duplicate_of: Optional[str] = Field(alias="duplicateOf")
    """Existing document with the same content. Null unless this one was skipped."""


class AddedDocuments(Model):
    """Documents that were added and are searchable."""

    status: Union[Literal["completed"], str]
    """Always `completed`."""
    documents_added: int = Field(alias="documentsAdded")
    """Number of added documents."""
    documents_skipped: int = Field(alias="documentsSkipped")
    """Number of documents that deduplicate skipped."""
    chunks_created: int = Field(alias="chunksCreated")
    """Number of chunks created."""
    document_ids: List[str] = Field(alias="documentIds")
    """Identifiers of the added documents."""
    total_bytes: int = Field(alias="totalBytes")
    """Size of the added documents, in bytes."""
    processing_ms: int = Field(alias="processingMs")
    """Processing time, in milliseconds."""
    documents: List[AddedDocumentsDocument]
    """Result for each document, in request order. Trailing items are omitted if the response would
    exceed 4 MB.
    """
    members: Optional[List[ArchiveMember]] = Field(default=None)
    """Result for each member. Present if the file is a ZIP archive."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class DocumentWithPagesCorrection(Model):
    statement: str
    """Statement of the correction."""
    topics: List[str]
    """Topics of the correction."""
    boost: float
    """Weight of the correction relative to other corrections, above 0 and at most 10."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time from which searches ignore the correction. Null if it never expires."""


class DocumentWithPagesPage(Model):
    page: int
    """Page number, starting at 1."""
    method: Union[Literal["text", "ocr", "empty", "failed"], str]
    """Source of the page text: the file itself, or OCR. `empty` if the page has no text, `failed`
    if the page could not be read.
    """
    characters: int
    """Length of the page text, in UTF-16 code units."""
    confidence: Optional[Union[int, float]]
    """OCR confidence, from 0 to 1. Null without OCR."""
    message: Optional[str]
    """Note about the page. Null if there is none."""


class DocumentWithPages(Model):
    """A document with the processing result of each page."""

    id: str
    """Unique identifier of the document. Starts with `doc_`."""
    memory_id: str = Field(alias="memoryId")
    """Memory of the document."""
    title: str
    """Title from the request, from the metadata of the file, or the file name."""
    filename: Optional[str]
    """Name of the file. Null if the document was added as text."""
    mime_type: str = Field(alias="mimeType")
    """Media type of the original, detected from its content, such as `application/pdf`."""
    source_type: Union[Literal["file", "text", "url", "ocr", "correction"], str] = Field(alias="sourceType")
    """Source of the document: an uploaded file, a text, a download, an image (OCR), or a
    correction.
    """
    url: Optional[str]
    """URL that the document was downloaded from. Null for other sources."""
    tags: List[str]
    """Tags of the document. Searches and lists can filter by tag."""
    metadata: Dict[str, Optional[Union[str, int, float, bool]]]
    """Key-value pairs that the caller attached to the document. Searches can filter by them."""
    external_id: Optional[str] = Field(alias="externalId")
    """The caller's own identifier, unique within the memory. Null if none was given."""
    status: Union[Literal["pending", "processing", "ready", "partial", "failed"], str]
    """State of the document. Searches find `ready` and `partial` documents. Some pages of a
    `partial` document could not be read.
    """
    enabled: bool
    """False if the caller has hidden the document from every search."""
    size_bytes: int = Field(alias="sizeBytes")
    """Size of the original, in bytes."""
    page_count: Optional[int] = Field(alias="pageCount")
    """Number of pages, sheets or slides. Null for formats without pages, and until the document is
    processed.
    """
    ocr_pages: int = Field(alias="ocrPages")
    """Number of pages whose text was recognized with OCR."""
    chunk_count: int = Field(alias="chunkCount")
    """Number of chunks. Searches return chunks as passages."""
    character_count: int = Field(alias="characterCount")
    """Length of the extracted text in UTF-16 code units. All offsets use this unit."""
    content_hash: Optional[str] = Field(alias="contentHash")
    """Hash of the extracted text, used to detect duplicates. Null until the document is processed.
    """
    embedding_model: Optional[str] = Field(alias="embeddingModel")
    """Embedding model of the chunks. Null until the document is processed."""
    has_source: bool = Field(alias="hasSource")
    """True if the original is stored. GET …/source returns it."""
    job_id: Optional[str] = Field(alias="jobId")
    """Job that added the document. Null if the request itself added it."""
    error: Optional[str]
    """Reason why the document failed or is incomplete. Null if it is complete."""
    created_at: str = Field(alias="createdAt")
    """Time at which the document was added. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time of the last change. ISO 8601, UTC, with milliseconds."""
    correction: Optional[DocumentWithPagesCorrection]
    """Content of a correction. Null for all other documents."""
    pages: List[DocumentWithPagesPage]
    """Processing result of every page, sheet or slide, up to 4 MB of results. A document without
    pages counts as one page.
    """


class ChangedDocumentCorrection(Model):
    statement: str
    """Statement of the correction."""
    topics: List[str]
    """Topics of the correction."""
    boost: float
    """Weight of the correction relative to other corrections, above 0 and at most 10."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time from which searches ignore the correction. Null if it never expires."""


class ChangedDocument(Model):
    """A document after a change."""

    id: str
    """Unique identifier of the document. Starts with `doc_`."""
    memory_id: str = Field(alias="memoryId")
    """Memory of the document."""
    title: str
    """Title from the request, from the metadata of the file, or the file name."""
    filename: Optional[str]
    """Name of the file. Null if the document was added as text."""
    mime_type: str = Field(alias="mimeType")
    """Media type of the original, detected from its content, such as `application/pdf`."""
    source_type: Union[Literal["file", "text", "url", "ocr", "correction"], str] = Field(alias="sourceType")
    """Source of the document: an uploaded file, a text, a download, an image (OCR), or a
    correction.
    """
    url: Optional[str]
    """URL that the document was downloaded from. Null for other sources."""
    tags: List[str]
    """Tags of the document. Searches and lists can filter by tag."""
    metadata: Dict[str, Optional[Union[str, int, float, bool]]]
    """Key-value pairs that the caller attached to the document. Searches can filter by them."""
    external_id: Optional[str] = Field(alias="externalId")
    """The caller's own identifier, unique within the memory. Null if none was given."""
    status: Union[Literal["pending", "processing", "ready", "partial", "failed"], str]
    """State of the document. Searches find `ready` and `partial` documents. Some pages of a
    `partial` document could not be read.
    """
    enabled: bool
    """False if the caller has hidden the document from every search."""
    size_bytes: int = Field(alias="sizeBytes")
    """Size of the original, in bytes."""
    page_count: Optional[int] = Field(alias="pageCount")
    """Number of pages, sheets or slides. Null for formats without pages, and until the document is
    processed.
    """
    ocr_pages: int = Field(alias="ocrPages")
    """Number of pages whose text was recognized with OCR."""
    chunk_count: int = Field(alias="chunkCount")
    """Number of chunks. Searches return chunks as passages."""
    character_count: int = Field(alias="characterCount")
    """Length of the extracted text in UTF-16 code units. All offsets use this unit."""
    content_hash: Optional[str] = Field(alias="contentHash")
    """Hash of the extracted text, used to detect duplicates. Null until the document is processed.
    """
    embedding_model: Optional[str] = Field(alias="embeddingModel")
    """Embedding model of the chunks. Null until the document is processed."""
    has_source: bool = Field(alias="hasSource")
    """True if the original is stored. GET …/source returns it."""
    job_id: Optional[str] = Field(alias="jobId")
    """Job that added the document. Null if the request itself added it."""
    error: Optional[str]
    """Reason why the document failed or is incomplete. Null if it is complete."""
    created_at: str = Field(alias="createdAt")
    """Time at which the document was added. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time of the last change. ISO 8601, UTC, with milliseconds."""
    correction: Optional[ChangedDocumentCorrection]
    """Content of a correction. Null for all other documents."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class DeletedDocuments(Model):
    """Numbers of documents of a deletion."""

    matched: int
    """Number of documents that the request names."""
    deleted: int
    """Number of deleted documents. 0 with dryRun."""
    dry_run: bool = Field(alias="dryRun")
    """True if nothing was deleted."""
    not_found: List[str] = Field(alias="notFound")
    """Entries of ids without a document in this memory."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class PageTotalsDocument(Model):
    document_id: str = Field(alias="documentId")
    """Identifier of the document."""
    title: str
    """Title of the document."""
    failed: int
    """Number of pages of the document that could not be read."""


class PageTotals(Model):
    """Page processing results of all documents in a memory, excluding corrections."""

    pages: int
    """Number of pages. A document without pages counts as one page."""
    text: int
    """Number of pages with text in the file itself."""
    ocr: int
    """Number of pages whose text was recognized with OCR."""
    empty: int
    """Number of pages without text."""
    failed: int
    """Number of pages that could not be read."""
    documents: List[PageTotalsDocument]
    """Documents with the most failed pages, worst first."""


class Chunk(Model):
    """A chunk of a document: the unit that searches find."""

    id: str
    """Identifier of the chunk, as `chunkId` in hits: the document and the index."""
    index: int
    """Position among the chunks of the document, starting at 0."""
    text: str
    """Text of the chunk: the slice of the extracted text between the offsets."""
    start_offset: int = Field(alias="startOffset")
    """Start in the extracted text, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End in the extracted text, in UTF-16 code units."""
    page: Optional[int]
    """First page of the chunk. Null for formats without pages."""
    page_end: Optional[int] = Field(alias="pageEnd")
    """Last page of the chunk. Null for formats without pages."""
    section: Optional[str]
    """Headings above the chunk. Null without a heading."""
    header: Optional[str]
    """Header row of the table of the chunk. Null outside of tables."""


class ListChunksPage(Model):
    chunks: List[Chunk]
    """Items of this page, in order."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class HitScores(Model):
    """Parts of the score."""

    lexical: Optional[Union[int, float]]
    """BM25 score. Null if the lexical search did not find the passage."""
    semantic: Optional[Union[int, float]]
    """Cosine similarity. Null if the vector search did not find the passage."""
    fused: Optional[Union[int, float]]
    """Combined score of both retrievers. Null if only one ran."""
    rerank: Optional[Union[int, float]]
    """Score after reranking. Null if nothing was reranked."""
    boost: float
    """Weight of a correction, above 0 and at most 10. 1 for a document."""


class HitCorrection(Model):
    created_at: str = Field(alias="createdAt")
    """Time at which the correction was created. ISO 8601, UTC, with milliseconds."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time from which searches ignore the correction. Null if it never expires."""


class ScorePart(Model):
    """One part of a score."""

    name: Union[Literal["words", "meaning", "runs", "pairs", "nearlyWords", "title", "inText", "speaker", "phrase", "period", "neighbours", "alike", "model", "correction", "place"], str]
    """Name of the part. `words` and `meaning` are the lexical and the vector search, `model` is the
    effect of a reranking model. `correction` and `place` occur in corrections only.
    """
    raw: Optional[Union[int, float]]
    """Raw value in its own unit. BM25 for `words`, `runs`, `pairs` and `title`; cosine similarity
    for `meaning`. A count for `phrase`; borrowed score for `neighbours` and `alike`. Null if the
    part has no unit.
    """
    zero: Optional[Union[int, float]]
    """Raw value at which `share` is 0. Null if the part has no scale."""
    one: Optional[Union[int, float]]
    """Raw value at which `share` is 1. Null if the part has no scale."""
    share: Optional[Union[int, float]]
    """(raw - zero) / (one - zero), at least 0, and 1 if both ends are equal. Null if the part has
    no scale.
    """
    weight: Optional[Union[int, float]]
    """Factor of the share. Null if the part has no share."""
    points: float
    """Contribution to the score. The points of all parts add up to the score."""
    message: str
    """Explanation of the part, with its numbers."""


class TopScore(Model):
    """Overall match quality of the query. All scores are scaled by it."""

    score: float
    """Highest value of 1 - (1 - words) * (1 - meaning) among the first five passages."""
    total: float
    """Weighted sum of the shares of the best passage. The points of a part are share * weight *
    score / total.
    """
    words: Optional[Union[int, float]]
    """Share of the query's character 4-grams that occur in the passage. Null if words are not
    scored.
    """
    meaning: Optional[Union[int, float]]
    """Cosine similarity of the passage. Null if meaning is not scored."""
    message: str
    """Explanation, with its numbers."""


class HitExplanationTerm(Model):
    term: str
    """Term as indexed."""
    asked: List[str]
    """Query words that map to the term. Empty for a spelling variant."""
    words: List[str]
    """Words of the passage that contain the term."""
    count: int
    """Number of occurrences in the passage."""


class HitExplanationWindow(Model):
    start_offset: int = Field(alias="startOffset")
    """Start of the sentences in the extracted text, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End of the sentences in the extracted text, in UTF-16 code units."""
    cosine: float
    """Cosine similarity of the sentences to the query, from -1 to 1."""


class HitExplanation(Model):
    """Explanation of the score of a hit."""

    summary: str
    """Summary of the score and its parts."""
    parts: List[ScorePart]
    """Parts of the score. The score is their sum."""
    top: Optional[TopScore]
    """Overall match quality: top score before reranking; all scores are scaled by it. Null for
    corrections.
    """
    terms: List[HitExplanationTerm]
    """Search terms with the matching words: up to 100 that occur in the passage, and up to 20 that
    do not (`count` is 0).
    """
    window: Optional[HitExplanationWindow]
    """Sentences with the closest meaning. Null if no vectors were compared, or if the title is
    closest.
    """


class Hit(Model):
    """A passage that matches a query."""

    kind: Union[Literal["document", "correction"], str]
    """Source of the passage: a document or a correction."""
    rank: int
    """Rank of the hit, starting at 1."""
    score: float
    """Relevance, from 0 to 1. Document hits are sorted by descending score."""
    document_id: str = Field(alias="documentId")
    """Document of the passage."""
    chunk_id: str = Field(alias="chunkId")
    """Chunk of the passage: the document identifier and the chunk number."""
    title: str
    """Title of the document."""
    text: str
    """Full text of the passage: the extracted text from startOffset to endOffset."""
    snippet: str
    """Matching part of the passage, HTML-escaped. Matches are in `<mark>` tags if highlight is
    true.
    """
    page: Optional[int]
    """First page of the passage, starting at 1. Null if the document has no pages."""
    scores: HitScores
    """Parts of the score."""
    correction: Optional[HitCorrection]
    """Creation and expiry time of a correction. Null for a document."""
    duplicates: int
    """Number of further passages with the same text, which differ in case, white space or
    punctuation only. 0 if collapseDuplicates is false.
    """
    chunk_index: int = Field(alias="chunkIndex")
    """Number of the chunk in its document, starting at 0."""
    filename: Optional[str]
    """Name of the file. Null if the document was added as text."""
    url: Optional[str]
    """URL that the document was downloaded from. Null for other sources."""
    page_end: Optional[int] = Field(alias="pageEnd")
    """Last page of the passage. Null if the document has no pages."""
    section: Optional[str]
    """Headings above the passage, outermost first. Null if there are none."""
    header: Optional[str]
    """Header row of the table, if the passage consists of table rows. It is not part of `text`.
    Null otherwise.
    """
    start_offset: int = Field(alias="startOffset")
    """Start of the passage in the extracted text, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End of the passage in the extracted text, in UTF-16 code units."""
    tags: List[str]
    """Tags of the document."""
    metadata: Dict[str, Optional[Union[str, int, float, bool]]]
    """Metadata of the document."""
    created_at: str = Field(alias="createdAt")
    """Time at which the document was added. ISO 8601, UTC, with milliseconds."""
    explanation: Optional[HitExplanation] = Field(default=None)
    memory_id: Optional[str] = Field(default=None, alias="memoryId")
    """Memory of the passage. Only present if several memories were searched."""


class DocumentExplanationLeg(Model):
    leg: Union[Literal["lexical", "semantic"], str]
    """Retriever: lexical or semantic."""
    best: Optional[Union[int, float]]
    """BM25 score or cosine similarity of the best passage. Null if the retriever found no passage
    of the document.
    """
    needed: Optional[Union[int, float]]
    """Value of the last candidate. Null if the retriever had room for more candidates."""


class DocumentExplanation(Model):
    """Rank of a document in a search, or the reason why it is missing."""

    document_id: str = Field(alias="documentId")
    """Identifier from the request."""
    title: Optional[str]
    """Title of the document. Null if the document does not exist."""
    reason: Union[Literal["hit", "outranked", "left_out", "not_read", "not_a_candidate", "filtered_out", "correction_not_matching", "expired", "not_ready", "not_found"], str]
    """`hit` if the document is among the hits; otherwise the reason why not."""
    message: str
    """Explanation of the reason, with its numbers."""
    rank: Optional[int]
    """Rank of the best passage of the document, starting at 1. Null if the document was not ranked.
    """
    score: Optional[Union[int, float]]
    """Score of the best passage of the document. Null if the document was not ranked."""
    needed_score: Optional[Union[int, float]] = Field(alias="neededScore")
    """Score of the last hit, which the document would have to exceed. Null if the document is a
    hit, or if there is no such score.
    """
    legs: List[DocumentExplanationLeg]
    """Distance of an unranked document to the candidates of each retriever. Empty if the document
    was a candidate.
    """
    explanation: Optional[HitExplanation]
    """Explanation of the score of the best passage. Null if the document was not ranked."""


class FindAnswer(Model):
    """Result of a find request."""

    query: str
    """Query from the request."""
    mode: Union[Literal["hybrid", "semantic", "lexical"], str]
    """Search mode that was used. If it differs from the requested mode, a warning says why."""
    total_hits: int = Field(alias="totalHits")
    """Number of matching passages, at most a few hundred. It includes weak matches; see `score`.
    Copies that a hit represents are not counted. 0 if nothing in the memory matches.
    """
    total_hits_relation: Union[Literal["eq", "gte"], str] = Field(alias="totalHitsRelation")
    """`eq` if `totalHits` is exact, `gte` if further passages match."""
    took_ms: float = Field(alias="tookMs")
    """Search time, in milliseconds."""
    hits: List[Hit]
    """Hits: corrections first, then documents by descending score."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next hits, for `options.cursor`. Null if there are none, and for several
    memories.
    """
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""
    explained_document: Optional[DocumentExplanation] = Field(default=None, alias="explainedDocument")


class SearchAnswerHit(Model):
    kind: Union[Literal["document", "correction"], str]
    """Source of the passage: a document or a correction."""
    rank: int
    """Rank of the hit, starting at 1."""
    score: float
    """Relevance, from 0 to 1. Document hits are sorted by descending score."""
    document_id: str = Field(alias="documentId")
    """Document of the passage."""
    chunk_id: str = Field(alias="chunkId")
    """Chunk of the passage: the document identifier and the chunk number."""
    title: str
    """Title of the document."""
    text: str
    """Full text of the passage: the extracted text from startOffset to endOffset."""
    snippet: str
    """Matching part of the passage, HTML-escaped. Matches are in `<mark>` tags if highlight is
    true.
    """
    page: Optional[int]
    """First page of the passage, starting at 1. Null if the document has no pages."""


class SearchAnswer(Model):
    """Result of a search request."""

    query: str
    """Query from the request."""
    hits: List[SearchAnswerHit]
    """Hits: corrections first, then documents by descending score."""
    total_hits: int = Field(alias="totalHits")
    """Number of matching passages, at most a few hundred. It includes weak matches; see `score`.
    Copies that a hit represents are not counted. 0 if nothing in the memory matches.
    """
    total_hits_relation: Union[Literal["eq", "gte"], str] = Field(alias="totalHitsRelation")
    """`eq` if `totalHits` is exact, `gte` if further passages match."""
    took_ms: float = Field(alias="tookMs")
    """Search time, in milliseconds."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown fields of the request. Absent if there were none."""


class EvaluationResult(Model):
    mode: Union[Literal["lexical", "semantic", "hybrid", "auto"], str]
    """Search mode."""
    ndcg: float
    """Normalized discounted cumulative gain. 1 if the best documents are ranked first."""
    recall: float
    """Share of the known documents that were found."""
    mrr: float
    """Mean reciprocal rank of the first relevant document."""
    precision: float
    """Share of the found documents that are relevant."""
    mean_ms: float = Field(alias="meanMs")
    """Mean search time, in milliseconds."""


class EvaluationPerQuestion(Model):
    index: int
    """Index of the question in the request, starting at 0."""
    query: str
    """First 500 characters of the query."""
    mode: Union[Literal["lexical", "semantic", "hybrid", "auto"], str]
    """Search mode."""
    rank: Optional[int]
    """Rank of the first relevant document. Null if none is among the first topK."""
    ndcg: float
    """Normalized discounted cumulative gain of the question."""
    recall: float
    """Share of the known documents of the question that were found."""


class Evaluation(Model):
    """Search quality of a memory, measured with known questions."""

    questions: int
    """Number of questions."""
    top_k: int = Field(alias="topK")
    """Number of documents evaluated per question."""
    results: List[EvaluationResult]
    """Mean metrics per mode, over the first topK documents of all questions."""
    per_question: List[EvaluationPerQuestion] = Field(alias="perQuestion")
    """Metrics of each question, per mode."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class CitationCorrection(Model):
    created_at: str = Field(alias="createdAt")
    """Time at which the correction was created. ISO 8601, UTC, with milliseconds."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time from which searches ignore the correction. Null if it never expires."""


class Citation(Model):
    """A passage that supports the answer: the extracted text of a document from startOffset to
    endOffset.
    """

    index: int
    """Citation number, as in the brackets in `answer`. Sources have the same number."""
    document_id: str = Field(alias="documentId")
    """Document of the passage."""
    chunk_id: str = Field(alias="chunkId")
    """Chunk of the passage: the document identifier and the chunk number."""
    title: str
    """Title of the document."""
    page: Optional[int]
    """First page of the passage, starting at 1. Null if the document has no pages."""
    correction: Optional[CitationCorrection]
    """Creation and expiry time of a correction. Null for a document."""
    start_offset: int = Field(alias="startOffset")
    """Start of the passage in the extracted text, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End of the passage in the extracted text, in UTF-16 code units."""
    answer_start: int = Field(alias="answerStart")
    """Start of the citation mark `[index]` in `draft` if present, else in `answer`, in UTF-16 code
    units.
    """
    answer_end: int = Field(alias="answerEnd")
    """End of the citation mark, in UTF-16 code units."""
    memory_id: Optional[str] = Field(default=None, alias="memoryId")
    """Memory of the passage. Only present if several memories were searched."""


class SourceCorrection(Model):
    created_at: str = Field(alias="createdAt")
    """Time at which the correction was created. ISO 8601, UTC, with milliseconds."""
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time from which searches ignore the correction. Null if it never expires."""


class Source(Model):
    """A passage that was retrieved for the answer."""

    index: int
    """Citation number, as in the brackets in `answer`. Sources have the same number."""
    snippet: str
    """Matching part of the passage, HTML-escaped."""
    text: str
    """Full text of the passage."""
    start_offset: int = Field(alias="startOffset")
    """Start of the passage in the extracted text, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End of the passage in the extracted text, in UTF-16 code units."""
    score: float
    """Relevance of the passage to the question, from 0 to 1."""
    document_id: str = Field(alias="documentId")
    """Document of the passage."""
    chunk_id: str = Field(alias="chunkId")
    """Chunk of the passage: the document identifier and the chunk number."""
    title: str
    """Title of the document."""
    filename: Optional[str]
    """Name of the file. Null if the document was added as text."""
    page: Optional[int]
    """First page of the passage, starting at 1. Null if the document has no pages."""
    kind: Union[Literal["document", "correction"], str]
    """Source of the passage: a document or a correction."""
    correction: Optional[SourceCorrection]
    """Creation and expiry time of a correction. Null for a document."""
    memory_id: Optional[str] = Field(default=None, alias="memoryId")
    """Memory of the passage. Only present if several memories were searched."""


class AskAnswerUsage(Model):
    """Resources that the answer used."""

    retrieved: int
    """Number of retrieved passages."""
    prompt_tokens: int = Field(alias="promptTokens")
    """Tokens that the model read. 0 without a model."""
    completion_tokens: int = Field(alias="completionTokens")
    """Tokens that the model generated. 0 without a model."""
    total_tokens: int = Field(alias="totalTokens")
    """Total number of tokens."""


class AskAnswerStats(Model):
    """Duration of the answer."""

    retrieval_ms: int = Field(alias="retrievalMs")
    """Retrieval time, in milliseconds."""
    generation_ms: int = Field(alias="generationMs")
    """Generation time, in milliseconds."""
    total_ms: int = Field(alias="totalMs")
    """Total time, in milliseconds."""


class GroundingUnsupported(Model):
    start: int
    """Start of the sentence in `draft` if present, else in `answer`, in UTF-16 code units."""
    end: int
    """End of the sentence, in UTF-16 code units."""


class Grounding(Model):
    """Degree to which the cited passages support the text that a model generated."""

    score: float
    """Share of the words and numbers in the answer that also occur in the cited passages, from 0 to
    1. It measures word overlap, not truth.
    """
    unsupported: List[GroundingUnsupported]
    """Sentences with little word overlap with the cited passages, or with the opposite meaning."""


class AskAnswer(Model):
    """The answer to a question over a memory."""

    question: str
    """Question from the request."""
    answer: str
    """Answer with citation marks [n]. Only the marks listed in `citations` are citations; quoted
    text can contain other brackets.
    """
    model: str
    """Model that answered. `extractive` if no language model is configured."""
    requested_model: str = Field(alias="requestedModel")
    """Model named in the request."""
    answered: bool
    """True if the question was answered. False if nothing relevant was found, or if the sources do
    not support the text of the model; `answer` then says so.
    """
    confidence: Optional[Union[int, float]]
    """Confidence in the answer, also in a declined one. Null if a model answered."""
    draft: Optional[str] = Field(default=None)
    """Text of the model that the cited passages do not support, with its citation marks. Only
    present with the warning `unsupported_answer` or `answer_withheld`. Do not show it as an
    answer.
    """
    rewritten_question: Optional[str] = Field(default=None, alias="rewrittenQuestion")
    """The question that was answered, if the messages before it were needed to complete it."""
    citations: List[Citation]
    """Passages that support the answer, or that the model cites in `draft`, in the order of their
    marks.
    """
    sources: List[Source]
    """Retrieved passages. Empty unless includeSources is true."""
    usage: AskAnswerUsage
    """Resources that the answer used."""
    stats: AskAnswerStats
    """Duration of the answer."""
    grounding: Optional[Grounding]
    """Degree to which the cited passages support the generated text. Null if the answer consists of
    quotes.
    """
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class AskOnceAnswerCitation(Model):
    index: int
    """Citation number, as in the brackets in `answer`. Sources have the same number."""
    start_offset: int = Field(alias="startOffset")
    """Start of the passage in `content`, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End of the passage in `content`, in UTF-16 code units."""
    answer_start: int = Field(alias="answerStart")
    """Start of the citation mark `[index]` in `draft` if present, else in `answer`, in UTF-16 code
    units.
    """
    answer_end: int = Field(alias="answerEnd")
    """End of the citation mark, in UTF-16 code units."""


class AskOnceAnswerSource(Model):
    index: int
    """Citation number, as in the brackets in `answer`. Sources have the same number."""
    snippet: str
    """Matching part of the passage, HTML-escaped."""
    text: str
    """Full text of the passage."""
    start_offset: int = Field(alias="startOffset")
    """Start of the passage in `content`, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End of the passage in `content`, in UTF-16 code units."""
    score: float
    """Relevance of the passage to the question, from 0 to 1."""


class AskOnceAnswerUsage(Model):
    """Resources that the answer used."""

    retrieved: int
    """Number of retrieved passages."""
    prompt_tokens: int = Field(alias="promptTokens")
    """Tokens that the model read. 0 without a model."""
    completion_tokens: int = Field(alias="completionTokens")
    """Tokens that the model generated. 0 without a model."""
    total_tokens: int = Field(alias="totalTokens")
    """Total number of tokens."""


class AskOnceAnswerStats(Model):
    """Duration of the answer."""

    retrieval_ms: int = Field(alias="retrievalMs")
    """Retrieval time, in milliseconds."""
    generation_ms: int = Field(alias="generationMs")
    """Generation time, in milliseconds."""
    total_ms: int = Field(alias="totalMs")
    """Total time, in milliseconds."""


class AskOnceAnswer(Model):
    """The answer to a question over the text in the request."""

    question: str
    """Question from the request."""
    answer: str
    """Answer with citation marks [n]. Only the marks listed in `citations` are citations; quoted
    text can contain other brackets.
    """
    model: str
    """Model that answered. `extractive` if no language model is configured."""
    requested_model: str = Field(alias="requestedModel")
    """Model named in the request."""
    answered: bool
    """True if the question was answered. False if nothing relevant was found, or if the sources do
    not support the text of the model; `answer` then says so.
    """
    confidence: Optional[Union[int, float]]
    """Confidence in the answer, also in a declined one. Null if a model answered."""
    draft: Optional[str] = Field(default=None)
    """Text of the model that the cited passages do not support, with its citation marks. Only
    present with the warning `unsupported_answer` or `answer_withheld`. Do not show it as an
    answer.
    """
    citations: List[AskOnceAnswerCitation]
    """Passages that support the answer, or that the model cites in `draft`, in the order of their
    marks.
    """
    sources: List[AskOnceAnswerSource]
    """Retrieved passages. Empty unless includeSources is true."""
    usage: AskOnceAnswerUsage
    """Resources that the answer used."""
    stats: AskOnceAnswerStats
    """Duration of the answer."""
    grounding: Optional[Grounding]
    """Degree to which the cited passages support the generated text. Null if the answer consists of
    quotes.
    """
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class ExtractAnswerValuesValueValue(Model):
    amount: float
    """Amount, in units of the currency."""
    currency: Optional[str]
    """Currency code (ISO 4217). Null if unknown."""


class ExtractedFieldValue(Model):
    amount: float
    """Amount, in units of the currency."""
    currency: Optional[str]
    """Currency code (ISO 4217). Null if unknown."""


class FieldSource(Model):
    """Location of a value in a document."""

    document_id: str = Field(alias="documentId")
    """Document of the passage."""
    chunk_id: str = Field(alias="chunkId")
    """Chunk of the passage: the document identifier and the chunk number."""
    title: str
    """Title of the document."""
    page: Optional[int]
    """Page of the value, starting at 1. Null if the document has no pages."""
    snippet: str
    """Text around the value, HTML-escaped."""
    start_offset: int = Field(alias="startOffset")
    """Start of the raw value in the extracted text, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End of the raw value in the extracted text, in UTF-16 code units."""


class ExtractedField(Model):
    """An extracted field."""

    key: str
    """Identifier of the field."""
    label: str
    """Label from the request."""
    data_type: Optional[str]
    """Type from the request. Null if none was given."""
    found: bool
    """True if a value was found."""
    value: Optional[Union[str, int, float, bool, List[str], ExtractedFieldValue]]
    """Value in the requested type. Dates are ISO 8601, amounts have a currency. Null if nothing was
    found.
    """
    raw_value: Optional[str] = Field(alias="rawValue")
    """Value as written in the document. Null if nothing was found."""
    confidence: float
    """Confidence in the value, from 0 to 1. 0 if nothing was found."""
    sources: List[FieldSource]
    """Locations of the value. Empty if nothing was found."""


class ExtractAnswerSection(Model):
    id: str
    """Identifier of the section."""
    name: str
    """Name of the section."""
    fields: List[ExtractedField]
    """Fields of the section, in request order."""


class ExtractAnswer(Model):
    """Values extracted from a memory."""

    memory_id: str = Field(alias="memoryId")
    """Memory that was searched."""
    values: Dict[str, Dict[str, Optional[Union[str, int, float, bool, List[str], ExtractAnswerValuesValueValue]]]]
    """Values by section id and field key."""
    sections: List[ExtractAnswerSection]
    """Sections, in request order."""
    fields_total: int = Field(alias="fieldsTotal")
    """Number of requested fields."""
    fields_found: int = Field(alias="fieldsFound")
    """Number of fields with a value."""
    model: str
    """Model that extracted the fields. `extractive` if rules extracted all of them."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class RecognizedImageBlock(Model):
    text: str
    """Text of the block."""
    confidence: float
    """Recognition confidence of the block, from 0 to 1."""
    bbox: List[float]
    """Left, top, width and height of the block, in pixels of the displayed image."""
    page: Optional[int] = Field(default=None)
    """Page of the block, starting at 1. Present if the image has several pages."""


class RecognizedImage(Model):
    """Text of an image, and the document created from it."""

    text: str
    """Recognized text. Empty if the image has no text; no document is added then."""
    confidence: float
    """Recognition confidence from 0 to 1, weighted by text length. 0 without text."""
    mode: Union[Literal["fast", "accurate"], str]
    """OCR mode that was used."""
    engine: str
    """OCR engine with its version, or the name of the vision model."""
    languages: List[str]
    """Languages that OCR used, as three-letter codes such as `eng`."""
    width: int
    """Width of the first page, in pixels."""
    height: int
    """Height of the first page, in pixels."""
    blocks: List[RecognizedImageBlock]
    """Text blocks with their positions."""
    document_id: Optional[str] = Field(alias="documentId")
    """Identifier of the new document. Null if no document was added."""
    duplicate_of: Optional[str] = Field(alias="duplicateOf")
    """Existing document with the same text, if deduplicate skipped the image. Null otherwise."""
    document_ids: List[str] = Field(alias="documentIds")
    """Identifiers of the added documents."""
    documents_added: int = Field(alias="documentsAdded")
    """Number of added documents."""
    documents_skipped: int = Field(alias="documentsSkipped")
    """Number of documents that deduplicate skipped."""
    chunks_created: int = Field(alias="chunksCreated")
    """Number of chunks created."""
    processing_ms: int = Field(alias="processingMs")
    """Processing time, in milliseconds."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class CorrectionCreatedBy(Model):
    key_id: str = Field(alias="keyId")
    """Identifier of the key."""
    name: Optional[str]
    """Name of the key when it created the correction. Null if it had none."""


class OutrankedScores(Model):
    """Parts of the score."""

    lexical: Optional[Union[int, float]]
    """BM25 score. Null if the lexical search did not find the passage."""
    semantic: Optional[Union[int, float]]
    """Cosine similarity. Null if the vector search did not find the passage."""


class Outranked(Model):
    """A passage that a correction outranks."""

    document_id: str = Field(alias="documentId")
    """Document of the passage."""
    chunk_id: str = Field(alias="chunkId")
    """Chunk of the passage: the document identifier and the chunk number."""
    title: str
    """Title of the document."""
    page: Optional[int]
    """First page of the passage, starting at 1. Null if the document has no pages."""
    snippet: str
    """Matching part of the passage, HTML-escaped."""
    score: float
    """Similarity of the passage to the statement, from 0 to 1."""
    scores: OutrankedScores
    """Parts of the score."""


class LastOutrankedPassageScores(Model):
    """Parts of the score."""

    lexical: Optional[Union[int, float]]
    """BM25 score. Null if the lexical search did not find the passage."""
    semantic: Optional[Union[int, float]]
    """Cosine similarity. Null if the vector search did not find the passage."""


class LastOutrankedPassage(Model):
    document_id: str = Field(alias="documentId")
    """Document of the passage."""
    chunk_id: str = Field(alias="chunkId")
    """Chunk of the passage: the document identifier and the chunk number."""
    title: str
    """Title of the document."""
    page: Optional[int]
    """First page of the passage, starting at 1. Null if the document has no pages."""
    start_offset: int = Field(alias="startOffset")
    """Start of the passage in the extracted text, in UTF-16 code units."""
    end_offset: int = Field(alias="endOffset")
    """End of the passage in the extracted text, in UTF-16 code units."""
    score: float
    """Similarity of the passage to the statement, from 0 to 1."""
    scores: LastOutrankedPassageScores
    """Parts of the score."""


class LastOutranked(Model):
    """Passages that a correction outranked in its most recent search."""

    at: str
    """Time of that search. ISO 8601, UTC, with milliseconds."""
    passages: List[LastOutrankedPassage]
    """Best passages of that search, up to 5, without deleted ones."""


class Correction(Model):
    """A statement that ranks above documents for matching queries."""

    id: str
    """Unique identifier of the correction. Starts with `doc_`: it is a document."""
    memory_id: str = Field(alias="memoryId")
    """Memory of the correction."""
    statement: str
    """Statement of the correction."""
    topics: List[str]
    """Topics of the correction."""
    boost: float
    """Weight of the correction relative to other corrections, above 0 and at most 10."""
    created_by: Optional[CorrectionCreatedBy] = Field(alias="createdBy")
    """Key that created the correction. Null without authentication. A memory key sees only itself.
    """
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time from which searches ignore the correction. Null if it never expires."""
    is_expired: bool = Field(alias="isExpired")
    """True if the correction has expired. Searches ignore expired corrections."""
    outranks: Optional[List[Outranked]]
    """Passages that the correction outranks or contradicts: the up to 5 closest to its statement.
    Null if not computed: in lists without `include`, after the 20th correction of a request, and
    if the search failed.
    """
    last_outranked: Optional[LastOutranked] = Field(alias="lastOutranked")
    """Passages that the correction outranked in the most recent find, search, ask or extract
    request that returned it, recorded within a second. Null if it never outranked a passage.
    """
    created_at: str = Field(alias="createdAt")
    """Time at which the correction was created. ISO 8601, UTC, with milliseconds."""


class ListCorrectionsPage(Model):
    corrections: List[Correction]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class AddCorrectionsAnswer(Model):
    corrections: List[Correction]
    """Added corrections, in request order. Trailing items are omitted if the response would exceed
    4 MB; `ids` is always complete.
    """
    ids: List[str]
    """Identifiers of all added corrections, in request order."""
    count: int
    """Number of added corrections."""


class ChangedCorrectionCreatedBy(Model):
    key_id: str = Field(alias="keyId")
    """Identifier of the key."""
    name: Optional[str]
    """Name of the key when it created the correction. Null if it had none."""


class ChangedCorrection(Model):
    """A correction after a change."""

    id: str
    """Unique identifier of the correction. Starts with `doc_`: it is a document."""
    memory_id: str = Field(alias="memoryId")
    """Memory of the correction."""
    statement: str
    """Statement of the correction."""
    topics: List[str]
    """Topics of the correction."""
    boost: float
    """Weight of the correction relative to other corrections, above 0 and at most 10."""
    created_by: Optional[ChangedCorrectionCreatedBy] = Field(alias="createdBy")
    """Key that created the correction. Null without authentication. A memory key sees only itself.
    """
    expires_at: Optional[str] = Field(alias="expiresAt")
    """Time from which searches ignore the correction. Null if it never expires."""
    is_expired: bool = Field(alias="isExpired")
    """True if the correction has expired. Searches ignore expired corrections."""
    outranks: Optional[List[Outranked]]
    """Passages that the correction outranks or contradicts: the up to 5 closest to its statement.
    Null if not computed: in lists without `include`, after the 20th correction of a request, and
    if the search failed.
    """
    last_outranked: Optional[LastOutranked] = Field(alias="lastOutranked")
    """Passages that the correction outranked in the most recent find, search, ask or extract
    request that returned it, recorded within a second. Null if it never outranked a passage.
    """
    created_at: str = Field(alias="createdAt")
    """Time at which the correction was created. ISO 8601, UTC, with milliseconds."""
    warnings: List[ApiWarning]
    """Problems that did not stop the request. Empty if there were none."""


class WebsiteSource(Model):
    """Settings of a website."""

    start_urls: List[str] = Field(alias="startUrls")
    """URLs at which each run starts. May be empty if there is a sitemap."""
    sitemap_url: Optional[str] = Field(alias="sitemapUrl")
    """Sitemap or sitemap index with further URLs. Null: no sitemap is read."""
    prefixes: List[str]
    """Only URLs that begin with one of these are read. Empty: the folders of the start URLs, or the
    host of the sitemap.
    """
    max_depth: int = Field(alias="maxDepth")
    """Maximum number of links from a start URL to a page. 0: only the given URLs."""
    max_pages: int = Field(alias="maxPages")
    """Maximum number of documents of the source."""
    pause_ms: int = Field(alias="pauseMs")
    """Pause between two requests, in milliseconds. A longer Crawl-delay of robots.txt is respected.
    """
    main_content: bool = Field(alias="mainContent")
    """If true, navigation, headers, footers and sidebars of pages are left out."""


class BucketSource(Model):
    """Settings of a bucket."""

    bucket: str
    """Name of the bucket."""
    prefix: str
    """Prefix of the keys to read. Empty: the whole bucket."""
    endpoint: Optional[str]
    """Address of the store, such as https://minio.example.com. Null: AWS."""
    region: str
    """Region of the bucket."""
    path_style: bool = Field(alias="pathStyle")
    """If true, the bucket is part of the path, not of the host name. Usual for stores other than
    AWS.
    """
    exclude: List[str]
    """Patterns of files to leave out, in the syntax of .gitignore."""
    has_credentials: bool = Field(alias="hasCredentials")
    """True if credentials are stored. They are encrypted and never returned."""


class FolderSource(Model):
    """Settings of a folder."""

    path: str
    """Absolute path of the folder on the machine of the service. It must be below
    RECOLLECT_SOURCE_FOLDERS.
    """
    exclude: List[str]
    """Patterns of files to leave out, in the syntax of .gitignore."""


class SourceRunProblem(Model):
    item: str
    """URL, object key or path of the item."""
    outcome: Union[Literal["failed", "skipped"], str]
    """`skipped` if the item is none that the service reads."""
    reason: str
    """Reason, for people."""


class SourceRun(Model):
    """What a run of a source changed."""

    started_at: str = Field(alias="startedAt")
    """Time at which the run started. ISO 8601, UTC, with milliseconds."""
    ended_at: Optional[str] = Field(alias="endedAt")
    """Time at which the run ended. Null while it runs."""
    outcome: Optional[Union[Literal["completed", "partial", "failed", "stopped"], str]]
    """`completed`: everything was read. `partial`: items failed or were left out. `failed`: the run
    was given up. `stopped`: the source was paused. Null during the run.
    """
    reason: Optional[str]
    """Reason of an outcome other than `completed`. Null otherwise."""
    added: int
    """Number of new documents."""
    changed: int
    """Number of replaced documents."""
    removed: int
    """Number of removed documents."""
    unchanged: int
    """Number of unchanged items, which were not read again."""
    failed: int
    """Number of items that could not be read. Their documents are kept."""
    skipped: int
    """Number of items that the service does not read."""
    problems: List[SourceRunProblem]
    """The first 100 failed and skipped items."""


class MemorySource(Model):
    """A website, bucket or folder whose documents the memory follows."""

    id: str
    """Unique identifier of the source. Starts with `src_`."""
    memory_id: str = Field(alias="memoryId")
    """Memory that receives the documents."""
    name: str
    """Name of the source."""
    type: Union[Literal["website", "s3", "folder"], str]
    """Type of the source."""
    website: Optional[WebsiteSource]
    """Settings of a website. Null for other types."""
    s3: Optional[BucketSource]
    """Settings of a bucket. Null for other types."""
    folder: Optional[FolderSource]
    """Settings of a folder. Null for other types."""
    tags: List[str]
    """Tags of its documents."""
    metadata: Dict[str, Optional[Union[str, int, float, bool]]]
    """Metadata of its documents, which also have the key `sourceId`."""
    store_source: bool = Field(alias="storeSource")
    """True if originals are stored."""
    interval_minutes: Optional[int] = Field(alias="intervalMinutes")
    """Minutes between runs. Null: runs only on request."""
    status: Union[Literal["queued", "running", "scheduled", "idle", "paused"], str]
    """`queued` if a run is due; `running` during a run; `scheduled` until `nextRunAt`; `idle` if
    runs start only on request; `paused` until it is resumed.
    """
    next_run_at: Optional[str] = Field(alias="nextRunAt")
    """Time of the next run. Null without one."""
    document_count: int = Field(alias="documentCount")
    """Number of documents of the source."""
    current_run: Optional[SourceRun] = Field(alias="currentRun")
    """The run in progress. Null without one."""
    last_run: Optional[SourceRun] = Field(alias="lastRun")
    """Report of the last ended run. Null before the first one."""
    created_at: str = Field(alias="createdAt")
    """Time at which the source was created. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time of the last change of its settings. ISO 8601, UTC, with milliseconds."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Problems that did not stop the request. Empty if there were none."""


class ListSourcesPage(Model):
    sources: List[MemorySource]
    """Items of this page, newest first."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class ListJobsPage(Model):
    jobs: List[Job]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class Project(Model):
    """A group of memories."""

    id: str
    """Unique identifier of the project. Starts with `prj_`."""
    name: str
    """Name of the project, unique within the organization (case-insensitive)."""
    memory_count: int = Field(alias="memoryCount")
    """Number of memories in the project."""
    created_at: str = Field(alias="createdAt")
    """Time at which the project was created. ISO 8601, UTC, with milliseconds."""
    updated_at: str = Field(alias="updatedAt")
    """Time at which the project was last renamed. ISO 8601, UTC, with milliseconds."""


class ListProjectsPage(Model):
    projects: List[Project]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class Webhook(Model):
    """A URL that receives messages about the jobs of an organization."""

    id: str
    """Unique identifier of the webhook. Starts with `whk_`."""
    url: str
    """URL to send messages to."""
    events: List[Union[Literal["job.completed", "job.failed", "job.partial"], str]]
    """Events to send."""
    status: Union[Literal["enabled", "disabled"], str]
    """`enabled` while messages are sent. A webhook is disabled after failing for too long; a
    successful test message enables it again.
    """
    disabled_reason: Optional[str] = Field(alias="disabledReason")
    """Reason why the webhook is disabled. Null if it is enabled."""
    consecutive_failures: int = Field(alias="consecutiveFailures")
    """Number of consecutive failed attempts."""
    failing_since: Optional[str] = Field(alias="failingSince")
    """Time of the first of these failures. Null if the last attempt succeeded."""
    waiting: int
    """Number of messages waiting for delivery or retry."""
    created_at: str = Field(alias="createdAt")
    """Time at which the webhook was created. ISO 8601, UTC, with milliseconds."""


class ListWebhooksPage(Model):
    webhooks: List[Webhook]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class NewWebhook(Model):
    """A new webhook, with its secret."""

    id: str
    """Unique identifier of the webhook. Starts with `whk_`."""
    url: str
    """URL to send messages to."""
    events: List[Union[Literal["job.completed", "job.failed", "job.partial"], str]]
    """Events to send."""
    status: Union[Literal["enabled", "disabled"], str]
    """`enabled` while messages are sent. A webhook is disabled after failing for too long; a
    successful test message enables it again.
    """
    disabled_reason: Optional[str] = Field(alias="disabledReason")
    """Reason why the webhook is disabled. Null if it is enabled."""
    consecutive_failures: int = Field(alias="consecutiveFailures")
    """Number of consecutive failed attempts."""
    failing_since: Optional[str] = Field(alias="failingSince")
    """Time of the first of these failures. Null if the last attempt succeeded."""
    waiting: int
    """Number of messages waiting for delivery or retry."""
    created_at: str = Field(alias="createdAt")
    """Time at which the webhook was created. ISO 8601, UTC, with milliseconds."""
    secret: Optional[str]
    """Secret for verifying signatures: `whsec_` plus base64, as the Standard Webhooks libraries
    expect it. Returned only once: a replayed response (same Idempotency-Key) has null here.
    """


class WebhookDelivery(Model):
    """An attempt to deliver a message."""

    id: str
    """Unique identifier of the attempt. Starts with `dlv_`."""
    message_id: str = Field(alias="messageId")
    """Identifier of the message, sent in the `webhook-id` header. All attempts of a message have
    the same.
    """
    event: Union[Literal["job.completed", "job.failed", "job.partial", "webhook.test"], str]
    """Event of the message."""
    job_id: Optional[str] = Field(alias="jobId")
    """Job of the message. Null for a test."""
    attempt: int
    """Number of the attempt, starting at 1."""
    outcome: Union[Literal["delivered", "failed"], str]
    """`delivered` if the receiver accepted the message."""
    status_code: Optional[int] = Field(alias="statusCode")
    """HTTP status of the response. Null if there was no response."""
    duration_ms: int = Field(alias="durationMs")
    """Duration of the attempt, in milliseconds."""
    response: Optional[str]
    """First 1,000 characters of the response. Null if there was no response."""
    error: Optional[str]
    """Cause of the failure. Null if the attempt succeeded."""
    attempted_at: str = Field(alias="attemptedAt")
    """Time at which the attempt started. ISO 8601, UTC, with milliseconds."""
    next_attempt_at: Optional[str] = Field(alias="nextAttemptAt")
    """Time of the next attempt. Null if there is none."""


class ListWebhookDeliveriesPage(Model):
    deliveries: List[WebhookDelivery]
    """Items of this page, newest first unless sorted otherwise."""
    next_cursor: Optional[str] = Field(alias="nextCursor")
    """Cursor of the next page. Null on the last page."""
    has_more: bool = Field(alias="hasMore")
    """True if there is a next page."""
    total: int
    """Total number of items on all pages."""
    warnings: Optional[List[ApiWarning]] = Field(default=None)
    """Unknown query parameters. Absent if there were none."""


class ErrorBodyErrorDetail(Model):
    param: str
    """Path of the field, such as `options.limit`."""
    message: str
    """Requirement that the value does not meet."""


class ErrorBodyError(Model):
    """Details of the error."""

    code: str
    """Stable error code, such as `validation_failed`. Use it in your program logic."""
    message: str
    """Description of the error, for people."""
    param: Optional[str]
    """Request field that caused the error. Null if there is none."""
    details: List[ErrorBodyErrorDetail]
    """All invalid fields, up to 50. Empty if the error has no field."""
    remedy: str
    """Remedy for the caller."""
    request_id: str = Field(alias="requestId")
    """Identifier of the request, as in the `X-Request-Id` header."""


class ErrorBody(Model):
    """Response body of every error (status 400 or higher)."""

    error: ErrorBodyError
    """Details of the error."""

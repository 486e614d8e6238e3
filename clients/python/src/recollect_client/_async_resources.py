"""Operations of the API to await.

Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
"""

from __future__ import annotations

from typing import AsyncIterator, Literal, Mapping, Optional, Sequence, Union

from .models import (
    AcceptedDocuments,
    AcceptedJob,
    Account,
    AddCorrectionsAnswer,
    AddedDocuments,
    AskAnswer,
    AskOnceAnswer,
    ChangedCorrection,
    ChangedDocument,
    ChangedKey,
    ChangedMemory,
    Chunk,
    Correction,
    DeletedDocuments,
    Document,
    DocumentWithPages,
    Evaluation,
    ExtractAnswer,
    FindAnswer,
    Health,
    ImportedMemory,
    Job,
    Key,
    ListChunksPage,
    ListCorrectionsPage,
    ListDocumentsPage,
    ListJobsPage,
    ListKeysPage,
    ListMemoriesPage,
    ListOrganizationsPage,
    ListProjectsPage,
    ListSourcesPage,
    ListWebhookDeliveriesPage,
    ListWebhooksPage,
    Memory,
    MemorySource,
    NewKey,
    NewMemory,
    NewOrganization,
    NewWebhook,
    Organization,
    OwnKey,
    PageTotals,
    Project,
    Readiness,
    RecognizedImage,
    SearchAnswer,
    Usage,
    Verification,
    Webhook,
    WebhookDelivery,
)
from .params import (
    ChunkingParam,
    CorrectionParam,
    DocumentParam,
    FilterParam,
    FolderParam,
    KnownQuestionParam,
    MessageParam,
    S3Param,
    SectionParam,
    WebsiteParam,
)
from ._request import (
    NOT_GIVEN,
    NotGiven,
    Request,
    Upload,
    given,
    quote,
)
from ._resource import AsyncResource
from ._stream import AnswerEvent


class AsyncQueries(AsyncResource):
    """Operations of the group Queries."""

    async def health(self) -> Health:
        """Liveness check.

        Returns 200 while the process is running, even if the database or object store is down.
        No API key required.
        """
        request = Request("GET", "/health")
        return await self._client.call(request, Health)

    async def readiness(self) -> Readiness:
        """Readiness check.

        Checks the database and the object store, and optional dependencies such as a language
        model. Use it for load balancers. No API key required.
        """
        request = Request("GET", "/health/ready")
        return await self._client.call(request, Readiness)

    async def account(self) -> Account:
        """Get the account.

        Returns the organization of the key with its plan, limits and usage.
        """
        request = Request("GET", "/v1/account")
        return await self._client.call(request, Account)

    async def usage(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        memory_id: Optional[str] = None,
        key_id: Optional[str] = None,
        group_by: Optional[Literal["memory", "key"]] = None,
    ) -> Usage:
        """Get the usage by day.

        Returns the figures of each day, also of days without use, and their totals. A
        memory-scoped key only sees its memories. Figures are kept for 90 days. The last seconds
        of other processes may be missing, and a process that crashes loses the seconds that it
        has not written. Sizes are measured every minute.

        Args:
            from_: First day (UTC). Defaults to a range of 30 days; at most 90 days.
            to: Last day (UTC), included. Defaults to today.
            memory_id: Return only the usage of this memory.
            key_id: Return only the usage with this key. Requires the role admin.
            group_by: Also return the usage of each memory, or of each key. Keys require the role
                admin.
        """
        request = Request(
            "GET",
            "/v1/usage",
            query={
                "from": given(from_),
                "to": given(to),
                "memoryId": given(memory_id),
                "keyId": given(key_id),
                "groupBy": given(group_by),
            },
        )
        return await self._client.call(request, Usage)

    async def find(
        self,
        memory_id: str,
        query: str,
        *,
        mode: Optional[Literal["hybrid", "semantic", "lexical", "auto"]] = None,
        limit: Optional[int] = None,
        highlight: Optional[bool] = None,
        min_score: Optional[float] = None,
        collapse_duplicates: Optional[bool] = None,
        explain: Optional[bool] = None,
        filter: Optional[FilterParam] = None,
        cursor: Optional[str] = None,
        explain_document_id: Optional[str] = None,
    ) -> FindAnswer:
        """Find passages.

        Searches a memory: lexical (keywords), semantic (vectors) or hybrid (both). Semantic
        search also finds passages without any word of the query. Counts as one query.

        Args:
            query: Query: keywords or a question.
            mode: Search mode: lexical (keywords), semantic (vectors) or hybrid (both). Defaults
                to `auto`, which chooses one.
            limit: Maximum number of hits.
            highlight: If true, wraps matches in `snippet` in `<mark>` tags.
            min_score: Documents with a lower score are not returned or counted. Does not apply
                to corrections.
            collapse_duplicates: If true, passages with the same text are one hit with the number
                of its `duplicates`.
            explain: If true, explains the score of each hit.
            filter: Filter for documents and corrections. All conditions must match.
            cursor: `nextCursor` of the answer before, to read the hits after it. The other
                fields must be the same.
            explain_document_id: Document to explain: its rank, or the reason why it is not among
                the hits.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/find",
            body={"query": query},
            options={
                "mode": given(mode),
                "limit": given(limit),
                "highlight": given(highlight),
                "minScore": given(min_score),
                "collapseDuplicates": given(collapse_duplicates),
                "explain": given(explain),
                "filter": given(filter),
                "cursor": given(cursor),
                "explainDocumentId": given(explain_document_id),
            },
        )
        return await self._client.call(request, FindAnswer)

    async def find_across(
        self,
        query: str,
        *,
        memory_ids: Optional[Sequence[str]] = None,
        project_id: Optional[str] = None,
        mode: Optional[Literal["hybrid", "semantic", "lexical", "auto"]] = None,
        limit: Optional[int] = None,
        highlight: Optional[bool] = None,
        min_score: Optional[float] = None,
        collapse_duplicates: Optional[bool] = None,
        explain: Optional[bool] = None,
        filter: Optional[FilterParam] = None,
    ) -> FindAnswer:
        """Find passages in several memories.

        Searches several memories like find, and returns the best passages of all, each with its
        memory. Corrections apply to their own memory. Counts as one query.

        Args:
            query: Query: keywords or a question.
            memory_ids: Memories to search. Required unless projectId is given.
            project_id: Project whose memories are searched, at most 20.
            mode: Search mode: lexical (keywords), semantic (vectors) or hybrid (both). Defaults
                to `auto`, which chooses one.
            limit: Maximum number of hits.
            highlight: If true, wraps matches in `snippet` in `<mark>` tags.
            min_score: Documents with a lower score are not returned or counted. Does not apply
                to corrections.
            collapse_duplicates: If true, passages with the same text are one hit with the number
                of its `duplicates`.
            explain: If true, explains the score of each hit.
            filter: Filter for documents and corrections. All conditions must match.
        """
        request = Request(
            "POST",
            "/v1/find",
            body={
                "query": query,
                "memoryIds": given(memory_ids),
                "projectId": given(project_id),
            },
            options={
                "mode": given(mode),
                "limit": given(limit),
                "highlight": given(highlight),
                "minScore": given(min_score),
                "collapseDuplicates": given(collapse_duplicates),
                "explain": given(explain),
                "filter": given(filter),
            },
        )
        return await self._client.call(request, FindAnswer)

    async def search(
        self,
        memory_id: str,
        query: str,
        *,
        limit: Optional[int] = None,
        filter: Optional[FilterParam] = None,
    ) -> SearchAnswer:
        """Find passages with default options.

        Works like find, with default options and a shorter response. Counts as one query.

        Args:
            query: Query: keywords or a question.
            limit: Maximum number of hits.
            filter: Filter for documents and corrections. All conditions must match.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/search",
            body={"query": query, "limit": given(limit)},
            options={"filter": given(filter)},
        )
        return await self._client.call(request, SearchAnswer)

    async def evaluate(
        self,
        memory_id: str,
        questions: Sequence[KnownQuestionParam],
        *,
        top_k: Optional[int] = None,
        modes: Optional[Sequence[Literal["lexical", "semantic", "hybrid", "auto"]]] = None,
        filter: Optional[FilterParam] = None,
    ) -> Evaluation:
        """Evaluate search quality.

        Runs known questions in each mode and compares the results with the documents that answer
        them. Does not count as a query.

        Args:
            questions: Questions to search for.
            top_k: Number of documents to evaluate per question.
            modes: Search modes to compare.
            filter: Filter for documents and corrections. All conditions must match.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/evaluate",
            body={"questions": questions, "topK": given(top_k), "modes": given(modes)},
            options={"filter": given(filter)},
        )
        return await self._client.call(request, Evaluation)

    async def ask(
        self,
        memory_id: str,
        question: Optional[str] = None,
        *,
        messages: Optional[Sequence[MessageParam]] = None,
        model: Optional[str] = None,
        max_context_chunks: Optional[int] = None,
        min_confidence: Optional[float] = None,
        include_sources: Optional[bool] = None,
        filter: Optional[FilterParam] = None,
    ) -> AskAnswer:
        """Answer a question with citations.

        Retrieves passages of a memory and answers from them, with citations. Without a language
        model, the answer quotes the best sentences. If nothing relevant is found, `answered` is
        false. Counts as one query.

        Args:
            question: Question to answer. Required unless `messages` is given.
            messages: Conversation, oldest message first, instead of `question`. The last message
                is the question of the user. A question that needs the messages before it is
                rewritten, and returned in `rewrittenQuestion`.
            model: Ignored. The configured model always answers; the response returns its name in
                `model`.
            max_context_chunks: Maximum number of passages used to answer.
            min_confidence: Minimum confidence of an answer; an answer below it is declined. The
                default, about 0.5, declines answers that are likelier wrong than right; a lower
                value returns them. Ignored if `confidence` is null.
            include_sources: If true, returns the retrieved passages in `sources`.
            filter: Filter for documents and corrections. All conditions must match.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/ask",
            body={"question": given(question), "messages": given(messages)},
            options={
                "model": given(model),
                "maxContextChunks": given(max_context_chunks),
                "minConfidence": given(min_confidence),
                "includeSources": given(include_sources),
                "filter": given(filter),
            },
        )
        return await self._client.call(request, AskAnswer)

    def ask_stream(
        self,
        memory_id: str,
        question: Optional[str] = None,
        *,
        messages: Optional[Sequence[MessageParam]] = None,
        model: Optional[str] = None,
        max_context_chunks: Optional[int] = None,
        min_confidence: Optional[float] = None,
        include_sources: Optional[bool] = None,
        filter: Optional[FilterParam] = None,
    ) -> AsyncIterator[AnswerEvent[AskAnswer]]:
        """Answer a question with citations.

        Retrieves passages of a memory and answers from them, with citations. Without a language
        model, the answer quotes the best sentences. If nothing relevant is found, `answered` is
        false. Counts as one query.

        Args:
            question: Question to answer. Required unless `messages` is given.
            messages: Conversation, oldest message first, instead of `question`. The last message
                is the question of the user. A question that needs the messages before it is
                rewritten, and returned in `rewrittenQuestion`.
            model: Ignored. The configured model always answers; the response returns its name in
                `model`.
            max_context_chunks: Maximum number of passages used to answer.
            min_confidence: Minimum confidence of an answer; an answer below it is declined. The
                default, about 0.5, declines answers that are likelier wrong than right; a lower
                value returns them. Ignored if `confidence` is null.
            include_sources: If true, returns the retrieved passages in `sources`.
            filter: Filter for documents and corrections. All conditions must match.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/ask",
            body={"question": given(question), "messages": given(messages)},
            options={
                "model": given(model),
                "maxContextChunks": given(max_context_chunks),
                "minConfidence": given(min_confidence),
                "includeSources": given(include_sources),
                "filter": given(filter),
            },
        )
        return self._client.stream(request, AskAnswer)

    async def ask_across(
        self,
        question: Optional[str] = None,
        *,
        messages: Optional[Sequence[MessageParam]] = None,
        memory_ids: Optional[Sequence[str]] = None,
        project_id: Optional[str] = None,
        model: Optional[str] = None,
        max_context_chunks: Optional[int] = None,
        min_confidence: Optional[float] = None,
        include_sources: Optional[bool] = None,
        filter: Optional[FilterParam] = None,
    ) -> AskAnswer:
        """Answer a question from several memories.

        Answers like ask, from the best passages of several memories. Citations and sources name
        their memory. Counts as one query.

        Args:
            question: Question to answer. Required unless `messages` is given.
            messages: Conversation, oldest message first, instead of `question`. The last message
                is the question of the user. A question that needs the messages before it is
                rewritten, and returned in `rewrittenQuestion`.
            memory_ids: Memories to search. Required unless projectId is given.
            project_id: Project whose memories are searched, at most 20.
            model: Ignored. The configured model always answers; the response returns its name in
                `model`.
            max_context_chunks: Maximum number of passages used to answer.
            min_confidence: Minimum confidence of an answer; an answer below it is declined. The
                default, about 0.5, declines answers that are likelier wrong than right; a lower
                value returns them. Ignored if `confidence` is null.
            include_sources: If true, returns the retrieved passages in `sources`.
            filter: Filter for documents and corrections. All conditions must match.
        """
        request = Request(
            "POST",
            "/v1/ask",
            body={
                "question": given(question),
                "messages": given(messages),
                "memoryIds": given(memory_ids),
                "projectId": given(project_id),
            },
            options={
                "model": given(model),
                "maxContextChunks": given(max_context_chunks),
                "minConfidence": given(min_confidence),
                "includeSources": given(include_sources),
                "filter": given(filter),
            },
        )
        return await self._client.call(request, AskAnswer)

    def ask_across_stream(
        self,
        question: Optional[str] = None,
        *,
        messages: Optional[Sequence[MessageParam]] = None,
        memory_ids: Optional[Sequence[str]] = None,
        project_id: Optional[str] = None,
        model: Optional[str] = None,
        max_context_chunks: Optional[int] = None,
        min_confidence: Optional[float] = None,
        include_sources: Optional[bool] = None,
        filter: Optional[FilterParam] = None,
    ) -> AsyncIterator[AnswerEvent[AskAnswer]]:
        """Answer a question from several memories.

        Answers like ask, from the best passages of several memories. Citations and sources name
        their memory. Counts as one query.

        Args:
            question: Question to answer. Required unless `messages` is given.
            messages: Conversation, oldest message first, instead of `question`. The last message
                is the question of the user. A question that needs the messages before it is
                rewritten, and returned in `rewrittenQuestion`.
            memory_ids: Memories to search. Required unless projectId is given.
            project_id: Project whose memories are searched, at most 20.
            model: Ignored. The configured model always answers; the response returns its name in
                `model`.
            max_context_chunks: Maximum number of passages used to answer.
            min_confidence: Minimum confidence of an answer; an answer below it is declined. The
                default, about 0.5, declines answers that are likelier wrong than right; a lower
                value returns them. Ignored if `confidence` is null.
            include_sources: If true, returns the retrieved passages in `sources`.
            filter: Filter for documents and corrections. All conditions must match.
        """
        request = Request(
            "POST",
            "/v1/ask",
            body={
                "question": given(question),
                "messages": given(messages),
                "memoryIds": given(memory_ids),
                "projectId": given(project_id),
            },
            options={
                "model": given(model),
                "maxContextChunks": given(max_context_chunks),
                "minConfidence": given(min_confidence),
                "includeSources": given(include_sources),
                "filter": given(filter),
            },
        )
        return self._client.stream(request, AskAnswer)

    async def ask_once(
        self,
        question: str,
        content: str,
        *,
        model: Optional[str] = None,
        max_context_chunks: Optional[int] = None,
        min_confidence: Optional[float] = None,
        include_sources: Optional[bool] = None,
    ) -> AskOnceAnswer:
        """Answer a question about a text in the request.

        Answers a question about a text in the request. Neither the text nor the answer is
        stored. Counts as one query.

        Args:
            question: Question to answer.
            content: Text to answer from. It is not stored.
            model: Ignored. The configured model always answers; the response returns its name in
                `model`.
            max_context_chunks: Maximum number of passages used to answer.
            min_confidence: Minimum confidence of an answer; an answer below it is declined. The
                default, about 0.5, declines answers that are likelier wrong than right; a lower
                value returns them. Ignored if `confidence` is null.
            include_sources: If true, returns the retrieved passages in `sources`.
        """
        request = Request(
            "POST",
            "/v1/ask-once",
            body={"question": question, "content": content, "model": given(model)},
            options={
                "maxContextChunks": given(max_context_chunks),
                "minConfidence": given(min_confidence),
                "includeSources": given(include_sources),
            },
        )
        return await self._client.call(request, AskOnceAnswer)

    def ask_once_stream(
        self,
        question: str,
        content: str,
        *,
        model: Optional[str] = None,
        max_context_chunks: Optional[int] = None,
        min_confidence: Optional[float] = None,
        include_sources: Optional[bool] = None,
    ) -> AsyncIterator[AnswerEvent[AskOnceAnswer]]:
        """Answer a question about a text in the request.

        Answers a question about a text in the request. Neither the text nor the answer is
        stored. Counts as one query.

        Args:
            question: Question to answer.
            content: Text to answer from. It is not stored.
            model: Ignored. The configured model always answers; the response returns its name in
                `model`.
            max_context_chunks: Maximum number of passages used to answer.
            min_confidence: Minimum confidence of an answer; an answer below it is declined. The
                default, about 0.5, declines answers that are likelier wrong than right; a lower
                value returns them. Ignored if `confidence` is null.
            include_sources: If true, returns the retrieved passages in `sources`.
        """
        request = Request(
            "POST",
            "/v1/ask-once",
            body={"question": question, "content": content, "model": given(model)},
            options={
                "maxContextChunks": given(max_context_chunks),
                "minConfidence": given(min_confidence),
                "includeSources": given(include_sources),
            },
        )
        return self._client.stream(request, AskOnceAnswer)

    async def extract(
        self,
        memory_id: str,
        sections: Sequence[SectionParam],
        *,
        context: Optional[str] = None,
        filter: Optional[FilterParam] = None,
    ) -> ExtractAnswer:
        """Extract structured data.

        Extracts a value for each field of a schema, with its source. Fields without a value are
        null; values are never guessed. Does not count as a query.

        Args:
            sections: Sections to extract, with at most 1000 fields in total.
            context: Description of the documents, in free text.
            filter: Filter for documents and corrections. All conditions must match.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/extract",
            body={"sections": sections, "context": given(context)},
            options={"filter": given(filter)},
        )
        return await self._client.call(request, ExtractAnswer)

    async def recognize(
        self,
        memory_id: str,
        file: Upload,
        *,
        mode: Optional[Literal["fast", "accurate"]] = None,
        language_hints: Optional[Sequence[str]] = None,
        async_: Optional[bool] = None,
        deduplicate: Optional[bool] = None,
        ocr_max_pages: Optional[int] = None,
        store_source: Optional[bool] = None,
        embedding_model: Optional[str] = None,
        title: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Optional[Union[str, int, float, bool]]]] = None,
        external_id: Optional[str] = None,
        wait: bool = False,
    ) -> Union[RecognizedImage, AcceptedDocuments]:
        """Recognize text in an image.

        Recognizes the text of an image with OCR and adds it as a document. An image without text
        is not an error, and adds nothing. Large images and requests with async are processed in
        a background job (status 202).

        Args:
            file: Image file, up to 20 MB: PNG, JPEG, WebP, GIF, TIFF or BMP.
            mode: OCR mode. `fast` (default) runs one pass; `accurate` runs as many passes as
                needed.
            language_hints: Languages of the text, such as `de`, `deu` or `German`. Unknown
                languages cause a warning.
            async_: If true, always processes the documents in a background job.
            deduplicate: If true, skips documents whose content is similar to an existing
                document.
            ocr_max_pages: Maximum number of pages per document on which OCR runs.
            store_source: If true, stores the original for GET …/source.
            embedding_model: Embedding model. The first document of a memory fixes its embedding
                model.
            title: Title of the document. Default, also if empty: the title of the file. Not
                allowed for an archive.
            tags: Tags of the document. Searches and lists can filter by tag.
            metadata: Key-value pairs for the document. Values are strings, numbers, booleans or
                null.
            external_id: Your own identifier of the document. Adding the same externalId again
                replaces the document.
            wait: If true, waits for the job of a large file, and raises JobFailedError if it
                fails.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/ocr",
            file=file,
            options={
                "mode": given(mode),
                "languageHints": given(language_hints),
                "async": given(async_),
                "deduplicate": given(deduplicate),
                "ocrMaxPages": given(ocr_max_pages),
                "storeSource": given(store_source),
                "embeddingModel": given(embedding_model),
                "title": given(title),
                "tags": given(tags),
                "metadata": given(metadata),
                "externalId": given(external_id),
            },
        )
        answer = await self._client.call_either(request, RecognizedImage, AcceptedDocuments)
        if wait and isinstance(answer, AcceptedDocuments):
            await self._client.settle(answer.job_id)
        return answer


class AsyncKeys(AsyncResource):
    """Operations of the group Keys."""

    async def list_page(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListKeysPage:
        """List API keys.

        Lists all active keys, without their secrets.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
        """
        request = Request(
            "GET",
            "/v1/keys",
            query={"limit": given(limit), "cursor": given(cursor)},
        )
        return await self._client.call(request, ListKeysPage)

    async def list(self) -> AsyncIterator[Key]:
        """List API keys.

        Lists all active keys, without their secrets.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(limit=100, cursor=cursor)
            for item in page.keys:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create(
        self,
        *,
        name: Optional[str] = None,
        scope: Optional[Literal["organization", "memory"]] = None,
        role: Optional[Literal["admin", "writer", "reader"]] = None,
        memory_id: Optional[str] = None,
        memory_ids: Optional[Sequence[str]] = None,
        expires_at: Optional[str] = None,
    ) -> NewKey:
        """Create an API key.

        Creates a key for the organization, or for the memories of memoryId or memoryIds. Its
        role limits what the key may do. The secret is only returned in this response; the
        service stores its hash.

        Args:
            name: Display name of the key.
            scope: Scope of the key. Defaults to `memory` if memories are given, otherwise to
                `organization`.
            role: Role of the key. Defaults to `admin` for an organization key, otherwise to
                `writer`. A memory-scoped key is never an `admin`.
            memory_id: Memory that the key is limited to.
            memory_ids: Memories that the key is limited to, instead of `memoryId`.
            expires_at: Time at which the key expires. Without it, the key never expires.
        """
        request = Request(
            "POST",
            "/v1/keys",
            body={
                "name": given(name),
                "scope": given(scope),
                "role": given(role),
                "memoryId": given(memory_id),
                "memoryIds": given(memory_ids),
                "expiresAt": given(expires_at),
            },
        )
        return await self._client.call(request, NewKey)

    async def get_own(self) -> OwnKey:
        """Get the key of the request.

        Returns the scope and the role of the key that sends the request, without its secret.
        Every key may call it. If authentication is disabled, there is no key.
        """
        request = Request("GET", "/v1/keys/self")
        return await self._client.call(request, OwnKey)

    async def rename(self, key_id: str, name: str) -> ChangedKey:
        """Rename an API key.

        Changes the display name of a key. The key itself and its scope stay as they are.

        Args:
            name: New display name of the key.
        """
        request = Request("PATCH", f"/v1/keys/{quote(key_id)}", body={"name": name})
        return await self._client.call(request, ChangedKey)

    async def revoke(self, key_id: str, *, force: Optional[bool] = None) -> None:
        """Revoke an API key.

        Revokes a key, effective with the next request. A key can revoke itself. The last admin
        key of the organization is only revoked with force.

        Args:
            force: If true, revokes the last admin key too.
        """
        request = Request("DELETE", f"/v1/keys/{quote(key_id)}", query={"force": given(force)})
        await self._client.send_only(request)


class AsyncOrganizations(AsyncResource):
    """Operations of the group Organizations."""

    async def list_page(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListOrganizationsPage:
        """List organizations.

        Lists the organizations of the installation. Requires the admin key of the installation.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
        """
        request = Request(
            "GET",
            "/v1/organizations",
            query={"limit": given(limit), "cursor": given(cursor)},
        )
        return await self._client.call(request, ListOrganizationsPage)

    async def list(self) -> AsyncIterator[Organization]:
        """List organizations.

        Lists the organizations of the installation. Requires the admin key of the installation.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(limit=100, cursor=cursor)
            for item in page.organizations:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create(
        self,
        name: str,
        *,
        plan: Optional[Literal["free", "starter", "unlimited"]] = None,
    ) -> NewOrganization:
        """Create an organization.

        Creates an organization with its own memories, keys and limits. Requires the admin key of
        the installation. The first key is only returned in this response.

        Args:
            name: Display name of the organization.
            plan: Plan of the organization. It sets the limits of storage, memories and queries.
                Defaults to the plan of the installation.
        """
        request = Request("POST", "/v1/organizations", body={"name": name, "plan": given(plan)})
        return await self._client.call(request, NewOrganization)


class AsyncMemories(AsyncResource):
    """Operations of the group Memories."""

    async def list_page(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
        name: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        sort: Optional[Literal["-createdAt", "createdAt", "name", "-name"]] = None,
    ) -> ListMemoriesPage:
        """List memories.

        Lists the memories of the organization. A memory-scoped key only sees its own memory.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
            project_id: Return only memories of this project.
            name: Return only memories with a name that contains this text, in any case.
            created_after: Return only memories created after this time. ISO 8601 date or time,
                in UTC without a time zone.
            created_before: Return only memories created before this time. ISO 8601 date or time,
                in UTC without a time zone.
            sort: Order: newest first (default) or oldest first; with a minus sign descending.
        """
        request = Request(
            "GET",
            "/v1/memories",
            query={
                "limit": given(limit),
                "cursor": given(cursor),
                "projectId": given(project_id),
                "name": given(name),
                "createdAfter": given(created_after),
                "createdBefore": given(created_before),
                "sort": given(sort),
            },
        )
        return await self._client.call(request, ListMemoriesPage)

    async def list(
        self,
        *,
        project_id: Optional[str] = None,
        name: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        sort: Optional[Literal["-createdAt", "createdAt", "name", "-name"]] = None,
    ) -> AsyncIterator[Memory]:
        """List memories.

        Lists the memories of the organization. A memory-scoped key only sees its own memory.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(project_id=project_id, name=name, created_after=created_after, created_before=created_before, sort=sort, limit=100, cursor=cursor)
            for item in page.memories:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create(
        self,
        name: str,
        *,
        description: Optional[str] = None,
        project_id: Optional[str] = None,
        project_name: Optional[str] = None,
        chunking: Optional[ChunkingParam] = None,
    ) -> NewMemory:
        """Create a memory.

        Creates an empty memory. A projectName that does not exist yet also creates the project.

        Args:
            name: Name of the memory. Names do not have to be unique.
            description: Description of the memory.
            project_id: Identifier of an existing project to assign the memory to.
            project_name: Name of the project to assign the memory to, created if it does not
                exist. If projectId is given as well, the names must match.
            chunking: Sizes of the chunks of all documents, which cannot be changed later.
                Without it, chunks have about 1,000 characters, tables and short texts up to
                2,000.
        """
        request = Request(
            "POST",
            "/v1/memories",
            body={
                "name": name,
                "description": given(description),
                "projectId": given(project_id),
                "projectName": given(project_name),
                "chunking": given(chunking),
            },
        )
        return await self._client.call(request, NewMemory)

    async def get(self, memory_id: str) -> Memory:
        """Get a memory.

        Returns a memory with the counts of its content.
        """
        request = Request("GET", f"/v1/memories/{quote(memory_id)}")
        return await self._client.call(request, Memory)

    async def change(
        self,
        memory_id: str,
        *,
        name: Optional[str] = None,
        description: Union[Optional[str], NotGiven] = NOT_GIVEN,
        project_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
    ) -> ChangedMemory:
        """Change a memory.

        Changes the name, the description or the project of a memory. Fields that are not sent
        stay as they are. A memory-scoped key changes the description only.

        Args:
            name: New name of the memory.
            description: New description. Null removes the description.
            project_id: Project to assign the memory to. Null: no project.
        """
        request = Request(
            "PATCH",
            f"/v1/memories/{quote(memory_id)}",
            body={"name": given(name), "description": description, "projectId": project_id},
        )
        return await self._client.call(request, ChangedMemory)

    async def delete(self, memory_id: str) -> None:
        """Delete a memory.

        Permanently deletes a memory with its documents, corrections and stored files, and ends
        its jobs. This cannot be undone.
        """
        request = Request("DELETE", f"/v1/memories/{quote(memory_id)}")
        await self._client.send_only(request)

    async def reembed(self, memory_id: str, embedding_model: str) -> AcceptedJob:
        """Change the embedding model.

        Starts a job that re-embeds all chunks of a memory with another embedding model. Searches
        keep using the old vectors until the job ends. If the job fails, nothing changes.

        Args:
            embedding_model: Configured embedding model, by its own name (`static-multi`) or by
                its setting (`embedded`, `openai:mini`).
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/reembed",
            body={"embeddingModel": embedding_model},
        )
        return await self._client.call(request, AcceptedJob)

    async def verify(self, memory_id: str) -> Verification:
        """Check the integrity of a memory.

        Reads every chunk of a memory and compares it with its text, its database row and its
        original. Changes nothing, and does not count as a query.
        """
        request = Request("GET", f"/v1/memories/{quote(memory_id)}/verify")
        return await self._client.call(request, Verification)

    async def import_(
        self,
        file: Upload,
        *,
        name: Optional[str] = None,
        project_id: Optional[str] = None,
        async_: Optional[bool] = None,
    ) -> Union[ImportedMemory, AcceptedDocuments]:
        """Import a memory.

        Creates a memory from an archive. All hashes are verified before the memory becomes
        visible. Documents are only embedded again if the embedding model differs.

        Args:
            file: Archive from GET /v1/memories/{id}/export.
            name: Name of the new memory. Defaults to the name in the archive.
            project_id: Identifier of an existing project to assign the memory to.
            async_: If true, always processes the documents in a background job.
        """
        request = Request(
            "POST",
            "/v1/memories/import",
            file=file,
            options={"async": given(async_)},
            form={"name": given(name), "projectId": given(project_id)},
        )
        return await self._client.call_either(request, ImportedMemory, AcceptedDocuments)


class AsyncDocuments(AsyncResource):
    """Operations of the group Documents."""

    async def list_page(
        self,
        memory_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "processing", "ready", "partial", "failed"]] = None,
        tag: Optional[str] = None,
        source_type: Optional[Literal["file", "text", "url", "ocr", "correction"]] = None,
        name: Optional[str] = None,
        title: Optional[str] = None,
        filename: Optional[str] = None,
        external_id: Optional[str] = None,
        metadata: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        sort: Optional[Literal["-createdAt", "createdAt"]] = None,
    ) -> ListDocumentsPage:
        """List documents.

        Lists the documents of a memory, including pending and failed ones. Corrections are only
        returned with sourceType=correction.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
            status: Return only documents with this status.
            tag: Return only documents with this tag.
            source_type: Return only documents with this source. Without it, corrections are not
                returned.
            name: Return only documents with a title or file name that contains this text, in any
                case.
            title: Return only documents with a title that contains this text, in any case.
            filename: Return only documents with a file name that contains this text, in any
                case.
            external_id: Return only documents with this externalId.
            metadata: Return only documents with this metadata: the JSON of a filter of searches.
            created_after: Return only documents created after this time. ISO 8601 date or time,
                in UTC without a time zone.
            created_before: Return only documents created before this time. ISO 8601 date or
                time, in UTC without a time zone.
            sort: Order: newest first (default) or oldest first; with a minus sign descending.
        """
        request = Request(
            "GET",
            f"/v1/memories/{quote(memory_id)}/documents",
            query={
                "limit": given(limit),
                "cursor": given(cursor),
                "status": given(status),
                "tag": given(tag),
                "sourceType": given(source_type),
                "name": given(name),
                "title": given(title),
                "filename": given(filename),
                "externalId": given(external_id),
                "metadata": given(metadata),
                "createdAfter": given(created_after),
                "createdBefore": given(created_before),
                "sort": given(sort),
            },
        )
        return await self._client.call(request, ListDocumentsPage)

    async def list(
        self,
        memory_id: str,
        *,
        status: Optional[Literal["pending", "processing", "ready", "partial", "failed"]] = None,
        tag: Optional[str] = None,
        source_type: Optional[Literal["file", "text", "url", "ocr", "correction"]] = None,
        name: Optional[str] = None,
        title: Optional[str] = None,
        filename: Optional[str] = None,
        external_id: Optional[str] = None,
        metadata: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        sort: Optional[Literal["-createdAt", "createdAt"]] = None,
    ) -> AsyncIterator[Document]:
        """List documents.

        Lists the documents of a memory, including pending and failed ones. Corrections are only
        returned with sourceType=correction.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(memory_id, status=status, tag=tag, source_type=source_type, name=name, title=title, filename=filename, external_id=external_id, metadata=metadata, created_after=created_after, created_before=created_before, sort=sort, limit=100, cursor=cursor)
            for item in page.documents:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def add_file(
        self,
        memory_id: str,
        file: Upload,
        *,
        async_: Optional[bool] = None,
        deduplicate: Optional[bool] = None,
        enable_ocr: Optional[bool] = None,
        ocr_max_pages: Optional[int] = None,
        store_source: Optional[bool] = None,
        embedding_model: Optional[str] = None,
        title: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Optional[Union[str, int, float, bool]]]] = None,
        external_id: Optional[str] = None,
        wait: bool = False,
    ) -> Union[AddedDocuments, AcceptedDocuments]:
        """Add documents.

        Adds an uploaded file, up to 10,000 texts, or the content of a URL. Small documents are
        searchable when the response arrives. Files over 2 MB, documents with more than 5 scanned
        pages and requests with async are processed in a background job (status 202).

        Args:
            file: File to add, up to 100 MB. Each member of a ZIP archive becomes a document.
            async_: If true, always processes the documents in a background job.
            deduplicate: If true, skips documents whose content is similar to an existing
                document.
            enable_ocr: If true, runs OCR on scanned and image-only PDF pages.
            ocr_max_pages: Maximum number of pages per document on which OCR runs.
            store_source: If true, stores the original for GET …/source.
            embedding_model: Embedding model. The first document of a memory fixes its embedding
                model.
            title: Title of the document. Default, also if empty: the title of the file. Not
                allowed for an archive.
            tags: Tags of the document. Searches and lists can filter by tag.
            metadata: Key-value pairs for the document. Values are strings, numbers, booleans or
                null.
            external_id: Your own identifier of the document. Adding the same externalId again
                replaces the document.
            wait: If true, waits for the job of a large file, and raises JobFailedError if it
                fails.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/documents",
            file=file,
            options={
                "async": given(async_),
                "deduplicate": given(deduplicate),
                "enableOcr": given(enable_ocr),
                "ocrMaxPages": given(ocr_max_pages),
                "storeSource": given(store_source),
                "embeddingModel": given(embedding_model),
                "title": given(title),
                "tags": given(tags),
                "metadata": given(metadata),
                "externalId": given(external_id),
            },
        )
        answer = await self._client.call_either(request, AddedDocuments, AcceptedDocuments)
        if wait and isinstance(answer, AcceptedDocuments):
            await self._client.settle(answer.job_id)
        return answer

    async def add_texts(
        self,
        memory_id: str,
        documents: Sequence[DocumentParam],
        *,
        async_: Optional[bool] = None,
        deduplicate: Optional[bool] = None,
        enable_ocr: Optional[bool] = None,
        ocr_max_pages: Optional[int] = None,
        store_source: Optional[bool] = None,
        embedding_model: Optional[str] = None,
        title: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Optional[Union[str, int, float, bool]]]] = None,
        external_id: Optional[str] = None,
        wait: bool = False,
    ) -> Union[AddedDocuments, AcceptedDocuments]:
        """Add documents.

        Adds an uploaded file, up to 10,000 texts, or the content of a URL. Small documents are
        searchable when the response arrives. Files over 2 MB, documents with more than 5 scanned
        pages and requests with async are processed in a background job (status 202).

        Args:
            documents: Texts to add. Either all of them are added or none. Required unless url is
                given.
            async_: If true, always processes the documents in a background job.
            deduplicate: If true, skips documents whose content is similar to an existing
                document.
            enable_ocr: If true, runs OCR on scanned and image-only PDF pages.
            ocr_max_pages: Maximum number of pages per document on which OCR runs.
            store_source: If true, stores the original for GET …/source.
            embedding_model: Embedding model. The first document of a memory fixes its embedding
                model.
            title: Title of the document. Default, also if empty: the title of the file. Not
                allowed for an archive.
            tags: Tags of the document. Searches and lists can filter by tag.
            metadata: Key-value pairs for the document. Values are strings, numbers, booleans or
                null.
            external_id: Your own identifier of the document. Adding the same externalId again
                replaces the document.
            wait: If true, waits for the job of a large file, and raises JobFailedError if it
                fails.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/documents",
            body={"documents": documents},
            options={
                "async": given(async_),
                "deduplicate": given(deduplicate),
                "enableOcr": given(enable_ocr),
                "ocrMaxPages": given(ocr_max_pages),
                "storeSource": given(store_source),
                "embeddingModel": given(embedding_model),
                "title": given(title),
                "tags": given(tags),
                "metadata": given(metadata),
                "externalId": given(external_id),
            },
        )
        answer = await self._client.call_either(request, AddedDocuments, AcceptedDocuments)
        if wait and isinstance(answer, AcceptedDocuments):
            await self._client.settle(answer.job_id)
        return answer

    async def add_url(
        self,
        memory_id: str,
        url: str,
        *,
        async_: Optional[bool] = None,
        deduplicate: Optional[bool] = None,
        enable_ocr: Optional[bool] = None,
        ocr_max_pages: Optional[int] = None,
        store_source: Optional[bool] = None,
        embedding_model: Optional[str] = None,
        title: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Optional[Union[str, int, float, bool]]]] = None,
        external_id: Optional[str] = None,
        wait: bool = False,
    ) -> Union[AddedDocuments, AcceptedDocuments]:
        """Add documents.

        Adds an uploaded file, up to 10,000 texts, or the content of a URL. Small documents are
        searchable when the response arrives. Files over 2 MB, documents with more than 5 scanned
        pages and requests with async are processed in a background job (status 202).

        Args:
            url: HTTP or HTTPS URL to download, up to 100 MB. With options.async a job downloads
                it. Required unless documents is given.
            async_: If true, always processes the documents in a background job.
            deduplicate: If true, skips documents whose content is similar to an existing
                document.
            enable_ocr: If true, runs OCR on scanned and image-only PDF pages.
            ocr_max_pages: Maximum number of pages per document on which OCR runs.
            store_source: If true, stores the original for GET …/source.
            embedding_model: Embedding model. The first document of a memory fixes its embedding
                model.
            title: Title of the document. Default, also if empty: the title of the file. Not
                allowed for an archive.
            tags: Tags of the document. Searches and lists can filter by tag.
            metadata: Key-value pairs for the document. Values are strings, numbers, booleans or
                null.
            external_id: Your own identifier of the document. Adding the same externalId again
                replaces the document.
            wait: If true, waits for the job of a large file, and raises JobFailedError if it
                fails.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/documents",
            body={"url": url},
            options={
                "async": given(async_),
                "deduplicate": given(deduplicate),
                "enableOcr": given(enable_ocr),
                "ocrMaxPages": given(ocr_max_pages),
                "storeSource": given(store_source),
                "embeddingModel": given(embedding_model),
                "title": given(title),
                "tags": given(tags),
                "metadata": given(metadata),
                "externalId": given(external_id),
            },
        )
        answer = await self._client.call_either(request, AddedDocuments, AcceptedDocuments)
        if wait and isinstance(answer, AcceptedDocuments):
            await self._client.settle(answer.job_id)
        return answer

    async def get(self, memory_id: str, document_id: str) -> DocumentWithPages:
        """Get a document.

        Returns a document with the processing result of each page.
        """
        request = Request(
            "GET",
            f"/v1/memories/{quote(memory_id)}/documents/{quote(document_id)}",
        )
        return await self._client.call(request, DocumentWithPages)

    async def change(
        self,
        memory_id: str,
        document_id: str,
        *,
        title: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Optional[Union[str, int, float, bool]]]] = None,
        enabled: Optional[bool] = None,
    ) -> ChangedDocument:
        """Change a document.

        Changes the title, tags or metadata of a document, or hides it from searches. Tags and
        metadata replace the stored ones. Fields that are not sent stay as they are. The document
        is not read again.

        Args:
            title: New title, by which searches rank.
            tags: Tags of the document. Searches and lists can filter by tag.
            metadata: Key-value pairs for the document. Values are strings, numbers, booleans or
                null.
            enabled: False hides the document from every search, ask and extract; true shows it
                again.
        """
        request = Request(
            "PATCH",
            f"/v1/memories/{quote(memory_id)}/documents/{quote(document_id)}",
            body={
                "title": given(title),
                "tags": given(tags),
                "metadata": given(metadata),
                "enabled": given(enabled),
            },
        )
        return await self._client.call(request, ChangedDocument)

    async def delete(self, memory_id: str, document_id: str) -> None:
        """Delete a document.

        Deletes a document or correction with its chunks and stored original. A job that is still
        adding the document ends.
        """
        request = Request(
            "DELETE",
            f"/v1/memories/{quote(memory_id)}/documents/{quote(document_id)}",
        )
        await self._client.send_only(request)

    async def delete_many(
        self,
        memory_id: str,
        *,
        ids: Optional[Sequence[str]] = None,
        filter: Optional[FilterParam] = None,
        dry_run: Optional[bool] = None,
    ) -> DeletedDocuments:
        """Delete documents.

        Deletes the documents of a list of identifiers or of a filter, hidden ones included.
        Corrections match only by identifier or with a sourceType. With dryRun, counts them. If
        the request ends early, repeat it.

        Args:
            ids: Documents or corrections to delete. Required unless filter is given.
            filter: Filter for documents and corrections. All conditions must match.
            dry_run: If true, counts the documents and deletes nothing.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/documents/delete",
            body={"ids": given(ids), "filter": given(filter), "dryRun": given(dry_run)},
        )
        return await self._client.call(request, DeletedDocuments)

    async def count_pages(self, memory_id: str) -> PageTotals:
        """Get page totals.

        Returns the page processing results of all documents in a memory, excluding corrections,
        and the documents with the most failed pages.
        """
        request = Request("GET", f"/v1/memories/{quote(memory_id)}/pages")
        return await self._client.call(request, PageTotals)

    async def list_chunks_page(
        self,
        memory_id: str,
        document_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListChunksPage:
        """List the chunks of a document.

        Lists the chunks of a document in the order of its text, with their offsets, pages and
        sections. A document has no chunks until it is searchable.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
        """
        request = Request(
            "GET",
            f"/v1/memories/{quote(memory_id)}/documents/{quote(document_id)}/chunks",
            query={"limit": given(limit), "cursor": given(cursor)},
        )
        return await self._client.call(request, ListChunksPage)

    async def list_chunks(self, memory_id: str, document_id: str) -> AsyncIterator[Chunk]:
        """List the chunks of a document.

        Lists the chunks of a document in the order of its text, with their offsets, pages and
        sections. A document has no chunks until it is searchable.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_chunks_page(memory_id, document_id, limit=100, cursor=cursor)
            for item in page.chunks:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def get_source(self, memory_id: str, document_id: str) -> bytes:
        """Download the original.

        Downloads the original with its name and media type, if it was added with storeSource.
        Supports single byte ranges.
        """
        request = Request(
            "GET",
            f"/v1/memories/{quote(memory_id)}/documents/{quote(document_id)}/source",
        )
        return await self._client.read_bytes(request)

    async def get_text(self, memory_id: str, document_id: str) -> str:
        """Get the extracted text.

        Returns the extracted text as UTF-8. All offsets in the API are UTF-16 code units of this
        text.
        """
        request = Request(
            "GET",
            f"/v1/memories/{quote(memory_id)}/documents/{quote(document_id)}/text",
        )
        return await self._client.read_text(request)

    async def get_page(
        self,
        memory_id: str,
        document_id: str,
        page: int,
        *,
        highlight: Optional[str] = None,
    ) -> bytes:
        """Render a page.

        Renders a page of a stored PDF or image as PNG. With `highlight`, a range of the
        extracted text is marked.

        Args:
            highlight: Range of the extracted text to highlight: start and end offset in UTF-16
                code units, such as 1204-1240.
        """
        request = Request(
            "GET",
            f"/v1/memories/{quote(memory_id)}/documents/{quote(document_id)}/pages/{quote(page)}.png",
            query={"highlight": given(highlight)},
        )
        return await self._client.read_bytes(request)


class AsyncCorrections(AsyncResource):
    """Operations of the group Corrections."""

    async def add(
        self,
        memory_id: str,
        statement: str,
        *,
        topics: Optional[Sequence[str]] = None,
        boost: Optional[float] = None,
        expires_at: Optional[str] = None,
    ) -> Correction:
        """Add a correction.

        Adds a statement that ranks above all documents in matching searches and takes precedence
        in answers.

        Args:
            statement: Statement of the correction.
            topics: Topics of the correction. Searches match them like the statement.
            boost: Weight of the correction relative to other corrections, above 0 and at most
                10.
            expires_at: Time in the future from which searches ignore the correction. Without it,
                the correction never expires.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/correct",
            body={
                "statement": statement,
                "topics": given(topics),
                "boost": given(boost),
                "expiresAt": given(expires_at),
            },
        )
        return await self._client.call(request, Correction)

    async def list_page(
        self,
        memory_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include: Optional[Literal["outranks"]] = None,
    ) -> ListCorrectionsPage:
        """List corrections.

        Lists the corrections of a memory, including expired ones that have not been removed yet.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
            include: Set to `outranks` to compute the passages that each correction outranks.
                Runs one search per correction.
        """
        request = Request(
            "GET",
            f"/v1/memories/{quote(memory_id)}/corrections",
            query={
                "limit": given(limit),
                "cursor": given(cursor),
                "include": given(include),
            },
        )
        return await self._client.call(request, ListCorrectionsPage)

    async def list(
        self,
        memory_id: str,
        *,
        include: Optional[Literal["outranks"]] = None,
    ) -> AsyncIterator[Correction]:
        """List corrections.

        Lists the corrections of a memory, including expired ones that have not been removed yet.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(memory_id, include=include, limit=100, cursor=cursor)
            for item in page.corrections:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def add_many(
        self,
        memory_id: str,
        corrections: Sequence[CorrectionParam],
    ) -> AddCorrectionsAnswer:
        """Add several corrections.

        Adds up to 1,000 corrections. Either all of them are added or none.

        Args:
            corrections: Corrections to add. Either all of them are added or none.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/corrections",
            body={"corrections": corrections},
        )
        return await self._client.call(request, AddCorrectionsAnswer)

    async def change(
        self,
        memory_id: str,
        document_id: str,
        *,
        statement: Optional[str] = None,
        topics: Optional[Sequence[str]] = None,
        boost: Optional[float] = None,
        expires_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
    ) -> ChangedCorrection:
        """Change a correction.

        Changes the statement, topics, boost or expiry of a correction, which keeps its
        identifier. Fields that are not sent stay as they are.

        Args:
            statement: Statement of the correction.
            topics: Topics of the correction. Searches match them like the statement.
            boost: New weight relative to other corrections, above 0 and at most 10.
            expires_at: Time in the future from which searches ignore the correction. Null: the
                correction never expires.
        """
        request = Request(
            "PATCH",
            f"/v1/memories/{quote(memory_id)}/corrections/{quote(document_id)}",
            body={
                "statement": given(statement),
                "topics": given(topics),
                "boost": given(boost),
                "expiresAt": expires_at,
            },
        )
        return await self._client.call(request, ChangedCorrection)


class AsyncSources(AsyncResource):
    """Operations of the group Sources."""

    async def list_page(
        self,
        memory_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListSourcesPage:
        """List sources.

        Lists the sources of a memory with their last reports.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
        """
        request = Request(
            "GET",
            f"/v1/memories/{quote(memory_id)}/sources",
            query={"limit": given(limit), "cursor": given(cursor)},
        )
        return await self._client.call(request, ListSourcesPage)

    async def list(self, memory_id: str) -> AsyncIterator[MemorySource]:
        """List sources.

        Lists the sources of a memory with their last reports.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(memory_id, limit=100, cursor=cursor)
            for item in page.sources:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create(
        self,
        memory_id: str,
        type: Literal["website", "s3", "folder"],
        *,
        name: Optional[str] = None,
        paused: Optional[bool] = None,
        interval_minutes: Union[Optional[int], NotGiven] = NOT_GIVEN,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Optional[Union[str, int, float, bool]]]] = None,
        store_source: Optional[bool] = None,
        website: Optional[WebsiteParam] = None,
        s3: Optional[S3Param] = None,
        folder: Optional[FolderParam] = None,
    ) -> MemorySource:
        """Create a source.

        Lets a memory follow a website, a bucket or a folder. The first run starts soon. A run
        adds what is new, replaces what changed and removes what is gone; the URL, key or path is
        the externalId of a document.

        Args:
            type: Type of the source. The settings are in the field of the same name.
            name: Name of the source. Default: its address.
            paused: If true, no run starts before the source is resumed.
            interval_minutes: Minutes from the end of a run to the next run. Null: runs only on
                request.
            tags: Tags of the document. Searches and lists can filter by tag.
            metadata: Key-value pairs for the document. Values are strings, numbers, booleans or
                null.
            store_source: If true, stores the originals for GET …/source.
            website: Settings of a website.
            s3: Settings of a bucket. Without credentials, requests are anonymous.
            folder: Settings of a folder.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/sources",
            body={
                "type": type,
                "name": given(name),
                "paused": given(paused),
                "intervalMinutes": interval_minutes,
                "tags": given(tags),
                "metadata": given(metadata),
                "storeSource": given(store_source),
                "website": given(website),
                "s3": given(s3),
                "folder": given(folder),
            },
        )
        return await self._client.call(request, MemorySource)

    async def get(self, memory_id: str, source_id: str) -> MemorySource:
        """Get a source.

        Returns a source with its status, the run in progress and the report of the last run.
        """
        request = Request("GET", f"/v1/memories/{quote(memory_id)}/sources/{quote(source_id)}")
        return await self._client.call(request, MemorySource)

    async def change(
        self,
        memory_id: str,
        source_id: str,
        *,
        name: Optional[str] = None,
        interval_minutes: Union[Optional[int], NotGiven] = NOT_GIVEN,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Optional[Union[str, int, float, bool]]]] = None,
        store_source: Optional[bool] = None,
        website: Optional[WebsiteParam] = None,
        s3: Optional[S3Param] = None,
        folder: Optional[FolderParam] = None,
    ) -> MemorySource:
        """Change a source.

        Changes the given fields. Settings of the type are merged; a run in progress continues
        with the old ones. Tags and metadata apply to documents that are read afterwards.

        Args:
            name: New name of the source.
            interval_minutes: Minutes from the end of a run to the next run. Null: runs only on
                request.
            tags: Tags of the document. Searches and lists can filter by tag.
            metadata: Key-value pairs for the document. Values are strings, numbers, booleans or
                null.
            store_source: If true, stores the originals for GET …/source.
            website: Settings of a website.
            s3: Settings of a bucket. Without credentials, requests are anonymous.
            folder: Settings of a folder.
        """
        request = Request(
            "PATCH",
            f"/v1/memories/{quote(memory_id)}/sources/{quote(source_id)}",
            body={
                "name": given(name),
                "intervalMinutes": interval_minutes,
                "tags": given(tags),
                "metadata": given(metadata),
                "storeSource": given(store_source),
                "website": given(website),
                "s3": given(s3),
                "folder": given(folder),
            },
        )
        return await self._client.call(request, MemorySource)

    async def delete(
        self,
        memory_id: str,
        source_id: str,
        *,
        documents: Optional[Literal["keep", "delete"]] = None,
    ) -> None:
        """Delete a source.

        Ends the run of a source and deletes the source, with or without its documents.

        Args:
            documents: `delete` also deletes its documents. Default: `keep`.
        """
        request = Request(
            "DELETE",
            f"/v1/memories/{quote(memory_id)}/sources/{quote(source_id)}",
            query={"documents": given(documents)},
        )
        await self._client.send_only(request)

    async def run(self, memory_id: str, source_id: str) -> MemorySource:
        """Run a source now.

        Makes a run due now. A run in progress continues, and no second one starts beside it.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/sources/{quote(source_id)}/run",
        )
        return await self._client.call(request, MemorySource)

    async def pause(self, memory_id: str, source_id: str) -> MemorySource:
        """Pause a source.

        Ends the run in progress and starts no further one until the source is resumed.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/sources/{quote(source_id)}/pause",
        )
        return await self._client.call(request, MemorySource)

    async def resume(self, memory_id: str, source_id: str) -> MemorySource:
        """Resume a source.

        Resumes a paused source. A run that the pause ended or prevented starts soon.
        """
        request = Request(
            "POST",
            f"/v1/memories/{quote(memory_id)}/sources/{quote(source_id)}/resume",
        )
        return await self._client.call(request, MemorySource)


class AsyncJobs(AsyncResource):
    """Operations of the group Jobs."""

    async def list_page(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "processing", "completed", "failed", "partial"]] = None,
        memory_id: Optional[str] = None,
        job_type: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        sort: Optional[Literal["-createdAt", "createdAt"]] = None,
    ) -> ListJobsPage:
        """List jobs.

        Lists the jobs of the organization. A memory-scoped key only sees the jobs of its memory.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
            status: Return only jobs with this status.
            memory_id: Return only jobs of this memory.
            job_type: Return only jobs of this type.
            created_after: Return only jobs created after this time. ISO 8601 date or time, in
                UTC without a time zone.
            created_before: Return only jobs created before this time. ISO 8601 date or time, in
                UTC without a time zone.
            sort: Order: newest first (default) or oldest first; with a minus sign descending.
        """
        request = Request(
            "GET",
            "/v1/jobs",
            query={
                "limit": given(limit),
                "cursor": given(cursor),
                "status": given(status),
                "memoryId": given(memory_id),
                "jobType": given(job_type),
                "createdAfter": given(created_after),
                "createdBefore": given(created_before),
                "sort": given(sort),
            },
        )
        return await self._client.call(request, ListJobsPage)

    async def list(
        self,
        *,
        status: Optional[Literal["pending", "processing", "completed", "failed", "partial"]] = None,
        memory_id: Optional[str] = None,
        job_type: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        sort: Optional[Literal["-createdAt", "createdAt"]] = None,
    ) -> AsyncIterator[Job]:
        """List jobs.

        Lists the jobs of the organization. A memory-scoped key only sees the jobs of its memory.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(status=status, memory_id=memory_id, job_type=job_type, created_after=created_after, created_before=created_before, sort=sort, limit=100, cursor=cursor)
            for item in page.jobs:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def get(self, job_id: str, *, wait: Optional[int] = None) -> Job:
        """Get a job.

        Returns a job. With `wait`, the response is delayed until the job ends. Without it, poll
        every 5 to 10 seconds.

        Args:
            wait: Wait up to this number of seconds for the job to end before responding.
        """
        request = Request("GET", f"/v1/jobs/{quote(job_id)}", query={"wait": given(wait)})
        return await self._client.call(request, Job)

    async def cancel(self, job_id: str) -> Job:
        """Cancel a job.

        Cancels a job. A pending job ends immediately, a running job at its next step. Documents
        added so far are kept.
        """
        request = Request("POST", f"/v1/jobs/{quote(job_id)}/cancel")
        return await self._client.call(request, Job)

    async def retry(self, job_id: str) -> Job:
        """Retry a job.

        Puts a failed or partial job back in the queue. Only the missing parts are processed.
        """
        request = Request("POST", f"/v1/jobs/{quote(job_id)}/retry")
        return await self._client.call(request, Job)


class AsyncProjects(AsyncResource):
    """Operations of the group Projects."""

    async def list_page(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListProjectsPage:
        """List projects.

        Lists the projects of the organization.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
        """
        request = Request(
            "GET",
            "/v1/projects",
            query={"limit": given(limit), "cursor": given(cursor)},
        )
        return await self._client.call(request, ListProjectsPage)

    async def list(self) -> AsyncIterator[Project]:
        """List projects.

        Lists the projects of the organization.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(limit=100, cursor=cursor)
            for item in page.projects:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create(self, name: str) -> Project:
        """Create a project.

        Creates a project, which groups memories. Project names are unique within an organization
        (case-insensitive).

        Args:
            name: Name of the project, unique within the organization (case-insensitive).
        """
        request = Request("POST", "/v1/projects", body={"name": name})
        return await self._client.call(request, Project)

    async def get(self, project_id: str) -> Project:
        """Get a project.

        Returns a project with the number of its memories.
        """
        request = Request("GET", f"/v1/projects/{quote(project_id)}")
        return await self._client.call(request, Project)

    async def rename(self, project_id: str, name: str) -> Project:
        """Rename a project.

        Changes the name of a project.

        Args:
            name: Name of the project, unique within the organization (case-insensitive).
        """
        request = Request("PUT", f"/v1/projects/{quote(project_id)}", body={"name": name})
        return await self._client.call(request, Project)

    async def delete(self, project_id: str) -> None:
        """Delete a project.

        Deletes a project. Its memories are kept without a project.
        """
        request = Request("DELETE", f"/v1/projects/{quote(project_id)}")
        await self._client.send_only(request)


class AsyncWebhooks(AsyncResource):
    """Operations of the group Webhooks."""

    async def list_page(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListWebhooksPage:
        """List webhooks.

        Lists the webhooks of the organization, without their secrets.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
        """
        request = Request(
            "GET",
            "/v1/webhooks",
            query={"limit": given(limit), "cursor": given(cursor)},
        )
        return await self._client.call(request, ListWebhooksPage)

    async def list(self) -> AsyncIterator[Webhook]:
        """List webhooks.

        Lists the webhooks of the organization, without their secrets.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(limit=100, cursor=cursor)
            for item in page.webhooks:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create(
        self,
        url: str,
        *,
        events: Optional[Sequence[Literal["job.completed", "job.failed", "job.partial"]]] = None,
    ) -> NewWebhook:
        """Create a webhook.

        Registers a URL that receives a message when a job ends. Messages are signed according to
        the Standard Webhooks specification. The secret is only returned in this response.

        Args:
            url: URL to send messages to: a public HTTP or HTTPS URL.
            events: Events to send. Defaults to all events.
        """
        request = Request("POST", "/v1/webhooks", body={"url": url, "events": given(events)})
        return await self._client.call(request, NewWebhook)

    async def get(self, webhook_id: str) -> Webhook:
        """Get a webhook.

        Returns a webhook with its consecutive failures and waiting messages.
        """
        request = Request("GET", f"/v1/webhooks/{quote(webhook_id)}")
        return await self._client.call(request, Webhook)

    async def delete(self, webhook_id: str) -> None:
        """Delete a webhook.

        Deletes a webhook and discards its waiting messages.
        """
        request = Request("DELETE", f"/v1/webhooks/{quote(webhook_id)}")
        await self._client.send_only(request)

    async def test(self, webhook_id: str) -> WebhookDelivery:
        """Send a test message.

        Sends a test message to the webhook, without retries. A successful test enables a
        disabled webhook again.
        """
        request = Request("POST", f"/v1/webhooks/{quote(webhook_id)}/test")
        return await self._client.call(request, WebhookDelivery)

    async def list_deliveries_page(
        self,
        webhook_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListWebhookDeliveriesPage:
        """List delivery attempts.

        Lists the recorded delivery attempts of a webhook, with the receiver's response.

        Args:
            limit: Maximum number of items per page.
            cursor: Value of nextCursor from the previous page, unchanged.
        """
        request = Request(
            "GET",
            f"/v1/webhooks/{quote(webhook_id)}/deliveries",
            query={"limit": given(limit), "cursor": given(cursor)},
        )
        return await self._client.call(request, ListWebhookDeliveriesPage)

    async def list_deliveries(self, webhook_id: str) -> AsyncIterator[WebhookDelivery]:
        """List delivery attempts.

        Lists the recorded delivery attempts of a webhook, with the receiver's response.

        Yields the items of all pages, which are loaded as needed.
        """
        cursor: Optional[str] = None
        while True:
            page = await self.list_deliveries_page(webhook_id, limit=100, cursor=cursor)
            for item in page.deliveries:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

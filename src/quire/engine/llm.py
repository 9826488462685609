"""`LLM`: the offline engine, with vLLM's names."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from tqdm import tqdm

from quire.engine.beam import beam_search
from quire.engine.client import Output
from quire.engine.early import wake_gpu
from quire.engine.intake import Prompt
from quire.engine.interrupts import held_interrupts
from quire.engine.pairs import Pooling, as_classification, as_embedding, pair_up, settle
from quire.errors import BadParameter, NeedsTokenizer, RequestError, Unsupported
from quire.outputs import (
    BeamSearchOutput,
    ClassificationRequestOutput,
    EmbeddingRequestOutput,
    PoolingOutput,
    PoolingRequestOutput,
    RequestOutput,
    ScoringRequestOutput,
)
from quire.params import BeamSearchParams, PoolingParams, RequestOutputKind, SamplingParams
from quire.text.template import plain
from quire.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from quire.engine.engine import Engine

Message = Mapping[str, Any]
Params = SamplingParams | Sequence[SamplingParams] | None


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Vector:
    """A metric with several values."""

    name: str
    values: list[int]


class LLM:
    """Generates text, or pools prompts into vectors and scores, in this process.

    Every setting of the reference page is an argument:
    `LLM("folder", max_model_len=4096, enable_prefix_caching=False)`.

    With several ranks it has processes of its own. They end with `close`, with a `with LLM(…) as llm:` block,
    or when the LLM is dropped. What it holds in this process is freed when it is dropped.
    """

    def __init__(self, model: str = "", **options: Any):
        options.setdefault("disable_log_stats", True)  # the progress bar tells
        if options.get("distributed_executor_backend") != "ray":  # ranks compute there, wherever they are
            wake_gpu(options.get("device", "auto"))
        from quire.engine.engine import Engine  # and with it torch, which takes its time

        self.engine: Engine = Engine.of(model=model, **options)
        self._ids = itertools.count()
        self._mail: dict[str, deque[Any]] = {}  # outputs nobody has taken yet, by request

    def close(self) -> None:
        """Ends the engine and the processes of its ranks; prompts raise EngineDead from now on.

        Closing twice does nothing.
        """
        self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def generate(
        self,
        prompts: Prompt | Sequence[Prompt],
        sampling_params: Params = None,
        *,
        use_tqdm: bool = True,
        priority: Sequence[int] | None = None,
    ) -> list[RequestOutput]:
        """Completes prompts (text, token ids, or {"prompt_token_ids": …}); outputs come in their order.

        A prompt that cannot be accepted raises before any work is done. A request that fails while running
        has finish_reason "error" and its exception in `.error`; the others are not touched.
        """
        return self._complete(_several(prompts), sampling_params, use_tqdm, priority)

    def chat(
        self,
        messages: Message | Sequence[Message] | Sequence[Sequence[Message]],
        sampling_params: Params = None,
        *,
        use_tqdm: bool = True,
        chat_template: str | None = None,
        add_generation_prompt: bool = True,
        continue_final_message: bool = False,
        tools: list[dict[str, Any]] | None = None,
        chat_template_kwargs: dict[str, Any] | None = None,
    ) -> list[RequestOutput]:
        """Answers one conversation, or each of several, through the model's chat template.

        A single message is a conversation, too.
        """
        _check_tools(tools)
        prompts = [
            self._render(
                m,
                chat_template=chat_template,
                add_generation_prompt=add_generation_prompt and not continue_final_message,
                continue_final_message=continue_final_message,
                tools=tools,
                **(chat_template_kwargs or {}),
            )
            for m in _conversations(messages)
        ]
        return self._complete(prompts, sampling_params, use_tqdm, None, add_special_tokens=False)

    def stream(
        self, prompt: Prompt | Sequence[Message], sampling_params: SamplingParams | None = None
    ) -> Generator[RequestOutput, None, None]:
        """Completes one prompt or conversation; yields what is known after each step.

        Closing the iterator ends the request.
        """
        params = sampling_params or self.get_default_sampling_params()
        special = True
        if not isinstance(prompt, str | Mapping) and len(prompt) and isinstance(prompt[0], Mapping):
            prompt, special = self._render(list(prompt)), False  # type: ignore[arg-type]
        request_id = self._add(self.engine.add, prompt, params, stream=True, add_special_tokens=special)  # type: ignore[arg-type]
        mail = self._mail[request_id]
        try:
            finished = False
            while not finished:
                while not mail:
                    self._advance()
                output = mail.popleft()
                finished = output.finished
                if output.error is not None:
                    raise output.error
                yield output
        finally:
            self._drop([request_id])

    def beam_search(
        self, prompts: Prompt | Sequence[Prompt], params: BeamSearchParams, *, use_tqdm: bool = False
    ) -> list[BeamSearchOutput]:
        """The likeliest continuations: `beam_width` sequences per prompt, best first."""
        return beam_search(self.engine, self.generate, _several(prompts), params, use_tqdm)

    def embed(
        self,
        prompts: Prompt | Sequence[Prompt],
        *,
        pooling_params: Pooling = None,
        truncate_prompt_tokens: int | None = None,
        use_tqdm: bool = True,
    ) -> list[EmbeddingRequestOutput]:
        """A vector for each prompt, of length 1 unless `normalize` is off; any decoder can."""
        return [
            as_embedding(output)
            for output in self.encode(
                prompts,
                pooling_params,
                pooling_task="embed",
                truncate_prompt_tokens=truncate_prompt_tokens,
                use_tqdm=use_tqdm,
            )
        ]

    def classify(
        self,
        prompts: Prompt | Sequence[Prompt],
        *,
        pooling_params: Pooling = None,
        truncate_prompt_tokens: int | None = None,
        use_tqdm: bool = True,
    ) -> list[ClassificationRequestOutput]:
        """A probability for each label of a classification checkpoint, and the likeliest label's name."""
        return [
            as_classification(output, self.engine.intake.limits.label_names)
            for output in self.encode(
                prompts,
                pooling_params,
                pooling_task="classify",
                truncate_prompt_tokens=truncate_prompt_tokens,
                use_tqdm=use_tqdm,
            )
        ]

    def encode(
        self,
        prompts: Prompt | Sequence[Prompt],
        pooling_params: Pooling = None,
        *,
        pooling_task: str | None = None,
        truncate_prompt_tokens: int | None = None,
        use_tqdm: bool = True,
    ) -> list[PoolingRequestOutput[PoolingOutput]]:
        """What the task gives, as a tensor in `.outputs.data`: by default a vector for each token.

        A prompt that cannot be accepted raises before any work is done. A request that fails while running
        has None in `.outputs` and its exception in `.error`.
        """
        several = _several(prompts)
        each = settle(pooling_params, pooling_task, truncate_prompt_tokens, len(several))
        return self._run(self.engine.add_pooling, several, each, use_tqdm)

    def score(
        self,
        data_1: Prompt | Sequence[Prompt],
        data_2: Prompt | Sequence[Prompt],
        *,
        pooling_params: PoolingParams | None = None,
        truncate_prompt_tokens: int | None = None,
        use_tqdm: bool = True,
    ) -> list[ScoringRequestOutput]:
        """How well texts go together, one with each of several or pair by pair.

        The cosine of their embeddings; for a classification checkpoint with one label, what it says of the
        two read together.
        """
        first, second = _several(data_1), _several(data_2)
        pairs = pair_up(self.engine.intake, first, second, pooling_params, truncate_prompt_tokens)
        return pairs.scored(self.encode(pairs.prompts, pairs.params, use_tqdm=use_tqdm))

    def get_tokenizer(self) -> Tokenizer:
        if self.engine.tokenizer is None:
            raise NeedsTokenizer("skip_tokenizer_init is on: there is no tokenizer")
        return self.engine.tokenizer

    def get_default_sampling_params(self) -> SamplingParams:
        """What the checkpoint's generation_config.json recommends, else the plain defaults."""
        return SamplingParams(**self.engine.recommended())

    def reset_prefix_cache(self) -> bool:
        """Forgets all cached prefixes."""
        self.engine.core.reset_prefix_cache()
        return True

    def sleep(self, level: int = 1) -> None:
        """Gives the KV cache's memory back until `wake_up`. Weights stay in memory: level 1 only."""
        if level != 1:
            raise Unsupported(f"sleep level is {level}; this version has level 1, which keeps the weights")
        self.engine.sleep()

    def wake_up(self) -> None:
        """Takes the KV cache's memory again. While others hold it this raises NoMemory, and sleep goes on."""
        self.engine.wake_up()

    def get_metrics(self) -> list[Metric | Vector]:
        """Counters and gauges under vLLM's names, and our own; with speculation, how drafts fared."""
        s, scheduler = self.engine.stats, self.engine.core.scheduler
        pool = scheduler.kv.pool
        values = {
            "vllm:num_requests_running": scheduler.running,
            "vllm:num_requests_waiting": scheduler.waiting,
            "vllm:kv_cache_usage_perc": pool.held / pool.size,
            "vllm:num_preemptions": s.preemptions,
            "vllm:prompt_tokens": s.prompt_tokens,
            "vllm:generation_tokens": s.output_tokens,
            "vllm:prefix_cache_queries": s.prompt_tokens,
            "vllm:prefix_cache_hits": s.cached_tokens,
            "vllm:request_success": s.finished,
            "quire:requests_accepted": s.accepted,
            "quire:requests_aborted": s.aborted,
            "quire:requests_failed": s.failed,
            "quire:steps": s.steps,
            "quire:tokens_computed": s.computed_tokens,
            "quire:kv_blocks_cached": pool.cached,
        }
        found: list[Metric | Vector] = []
        drafts = scheduler.drafting.total
        if drafts.accepted:
            values |= {
                "vllm:spec_decode_num_drafts": drafts.drafts,
                "vllm:spec_decode_num_draft_tokens": drafts.tokens,
                "vllm:spec_decode_num_accepted_tokens": sum(drafts.accepted),
                "quire:spec_decode_steps": drafts.steps,
            }
            found.append(Vector("vllm:spec_decode_num_accepted_tokens_per_pos", list(drafts.accepted)))
        return [*(Metric(name, float(value)) for name, value in values.items()), *found]

    # -- inside ----------------------------------------------------------------------------------------

    def _add(self, add: Callable[..., None], prompt: Prompt, params: Any, **options: bool) -> str:
        request_id = str(next(self._ids))
        with held_interrupts():
            add(request_id, prompt, params, **options)
            self._mail[request_id] = deque()
        return request_id

    def _advance(self) -> None:
        """One step for everybody: a stream may be open while `generate` runs."""
        with held_interrupts():
            self._deliver(self.engine.step())

    def _deliver(self, outputs: list[Output]) -> None:
        for output in outputs:
            self._mail[output.request_id].append(output)

    def _drop(self, ids: list[str]) -> None:
        """Ends what has not ended: an error, Ctrl-C or a closed stream leaves nothing behind."""
        with held_interrupts():
            self._deliver(self.engine.abort(ids))
            for request_id in ids:
                self._mail.pop(request_id, None)

    def _render(self, messages: list[Message], **options: Any) -> Prompt:
        self.engine.intake.need_language_head()  # before a chat template is missed
        tokenizer = self.get_tokenizer()
        text = tokenizer.apply_chat_template(messages, tokenize=False, **options)
        return {"prompt": str(text)}

    def _complete(
        self,
        prompts: list[Prompt],
        params: Params,
        use_tqdm: bool,
        priority: Sequence[int] | None,
        add_special_tokens: bool = True,
    ) -> list[RequestOutput]:
        each = self._params_of(params, len(prompts), priority)
        return self._run(self.engine.add, prompts, each, use_tqdm, add_special_tokens=add_special_tokens)

    def _run(
        self,
        add: Callable[..., None],
        prompts: list[Prompt],
        each: Sequence[Any],
        use_tqdm: bool,
        **options: bool,
    ) -> list[Any]:
        """Adds all prompts, then steps until each has its output."""
        ids: list[str] = []
        try:
            for prompt, p in zip(prompts, each, strict=True):
                ids.append(self._add(add, prompt, p, **options))
            return self._finish(ids, use_tqdm)
        finally:
            self._drop(ids)

    def _params_of(self, params: Params, count: int, priority: Sequence[int] | None) -> list[SamplingParams]:
        if params is None:
            params = self.get_default_sampling_params()
        each = list(params) if isinstance(params, Iterable) else [params] * count
        if len(each) != count:
            raise BadParameter(
                f"there are {count} prompts and {len(each)} sampling_params; give one, or one each"
            )
        for p in each:
            if not isinstance(p, SamplingParams):
                raise BadParameter(f"sampling_params must be SamplingParams, got {p!r:.80}")
        if priority is not None:
            if len(priority) != count:
                raise BadParameter(f"there are {count} prompts and {len(priority)} priorities; give one each")
            each = [replace(p, priority=n) for p, n in zip(each, priority, strict=True)]
        whole = {id(p): _whole(p) for p in {id(p): p for p in each}.values()}  # mostly one for all prompts
        return [whole[id(p)] for p in each]

    def _finish(self, ids: list[str], use_tqdm: bool) -> list[Any]:
        """Steps until all of them have ended."""
        open_ids, stats = set(ids), self.engine.stats
        prompt_before, output_before = stats.prompt_tokens, stats.output_tokens
        with (
            held_interrupts() as let_through,
            tqdm(total=len(ids), desc="Processed prompts", disable=not use_tqdm, dynamic_ncols=True) as bar,
        ):
            while open_ids:
                outputs = self.engine.step()
                self._deliver(outputs)
                let_through()
                done = open_ids.intersection([output.request_id for output in outputs])
                open_ids -= done
                bar.update(len(done))
                if use_tqdm:
                    seconds = max(bar.format_dict["elapsed"], 1e-9)
                    bar.set_postfix_str(
                        f"input: {(stats.prompt_tokens - prompt_before) / seconds:.1f} tok/s, "
                        f"output: {(stats.output_tokens - output_before) / seconds:.1f} tok/s",
                        refresh=False,
                    )
        return [self._mail[i][-1] for i in ids]


def _whole(params: SamplingParams) -> SamplingParams:
    """The same, for answers that come as one."""
    if params.output_kind is RequestOutputKind.FINAL_ONLY:
        return params
    return replace(params, output_kind=RequestOutputKind.FINAL_ONLY)


def _conversations(messages: Any) -> list[list[Message]]:
    if isinstance(messages, Mapping):
        return [[messages]]
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        raise BadParameter(
            f"messages must be a list of objects with role and content, got {type(messages).__name__}"
        )
    if not messages:
        raise RequestError("there is no message; give at least one")
    return [list(messages)] if isinstance(messages[0], Mapping) else [list(m) for m in messages]


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    if not isinstance(tools, Sequence) or isinstance(tools, str | bytes):
        raise BadParameter(f"tools must be a list of objects, got {type(tools).__name__}")
    for i, tool in enumerate(tools):
        told = tool if isinstance(tool, Mapping) else plain(tool)
        function = told.get("function", told) if isinstance(told, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            raise BadParameter(
                f"tools[{i}] must be an object with 'function' and in it a 'name', or with a 'name' of its "
                f"own, got {tool!r:.80}"
            )
        if not isinstance(function.get("parameters") or {}, Mapping):
            raise BadParameter(
                f"the parameters of tools[{i}] must be a JSON schema, got {function['parameters']!r:.80}"
            )


def _several(prompts: Any) -> list[Prompt]:
    """A single prompt becomes a list of one; token ids are one prompt."""
    if isinstance(prompts, str | Mapping):
        return [prompts]
    if hasattr(prompts, "tolist"):
        prompts = prompts.tolist()  # an array or a tensor of token ids
    if not isinstance(prompts, Sequence):
        raise RequestError(
            f"prompts must be text, token ids or a list of those, got {type(prompts).__name__}"
        )
    if len(prompts) and not isinstance(prompts[0], str | Mapping) and not hasattr(prompts[0], "__len__"):
        return [prompts]  # one list of token ids
    return list(prompts)

import type { Hook } from '../ledger/records.ts';

/** When webhooks are repeated, how they are signed, and what is called on every change of one. Times are milliseconds. */
export interface DispatcherOptions {
  /** Waits between the tries of one webhook; their number bounds the tries. */
  readonly retryMs: readonly number[];
  readonly timeoutMs: number;
  readonly now: () => number;
  /** The headers that authenticate a webhook, worked out when it is sent so that a changed key counts. */
  readonly sign: (hook: Hook) => Record<string, string>;
  readonly onChange: (hook: Hook) => void;
}

const inFlightLimit = 32;

/**
 * Delivers webhooks in the background and tries again on anything but a 200.
 * At most 32 are in flight; the rest wait in the order they came.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #waiting: (() => void)[] = [];
  readonly #stop = new AbortController();
  #inFlight = 0;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Sends a pending webhook after a delay. Resolves when its first try is over, successful or not. */
  send(hook: Hook, delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#later(delayMs, () => {
        this.#attempt(hook).then(resolve, resolve);
      });
    });
  }

  /** Ends everything under way; nothing is sent any more. */
  close(): void {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    for (const proceed of this.#waiting.splice(0)) proceed();
  }

  #later(delayMs: number, task: () => void): void {
    if (this.#stop.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      task();
    }, delayMs);
    this.#timers.add(timer);
  }

  async #attempt(hook: Hook): Promise<void> {
    if (this.#inFlight >= inFlightLimit) await new Promise<void>((proceed) => this.#waiting.push(proceed));
    if (this.#stop.signal.aborted || hook.url === null || hook.state !== 'pending') return;
    this.#inFlight += 1;
    try {
      await this.#post(hook, hook.url);
    } finally {
      this.#inFlight -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #post(hook: Hook, url: string): Promise<void> {
    const startedAt = this.#options.now();
    const outcome = await this.#request(hook, url);
    if (this.#stop.signal.aborted) return;
    hook.attempts.push({ at: new Date(startedAt).toISOString(), ...outcome, durationMs: this.#options.now() - startedAt });
    const wait = this.#options.retryMs[hook.attempts.length - 1];
    if (outcome.status === 200) hook.state = 'delivered';
    else if (wait === undefined || hook.forged) hook.state = 'given_up';
    else this.#later(wait, () => void this.#attempt(hook));
    this.#options.onChange(hook);
  }

  async #request(hook: Hook, url: string): Promise<{ status: number | null; error: string | null }> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#options.sign(hook) },
        body: hook.body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(this.#options.timeoutMs)]),
      });
      await response.body?.cancel();
      return { status: response.status, error: null };
    } catch (error) {
      return { status: null, error: reason(error) };
    }
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timed out';
  const cause = error.cause;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
}

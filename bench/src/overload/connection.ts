import { connect, type Socket } from 'node:net';

/** End of a request: the status, or why there is none. */
export type Outcome = number | 'timed out' | 'unreadable' | 'closed' | (string & {});

const HEAD_END = '\r\n\r\n';
const STATUS_AT = 9;

/**
 * A plain connection that sends one request at a time and reads of an answer no more than its end needs: a client that costs less of the
 * shared machine than the server it measures. Answers need a `content-length`.
 */
export class Connection {
  private readonly socket: Socket;
  private readonly answerLimitMs: number;
  private head = '';
  private bodyLeft: number | null = null;
  private closes = false;
  private timer: NodeJS.Timeout | undefined;
  private done: ((outcome: Outcome) => void) | null = null;

  constructor(at: { readonly host: string; readonly port: number }, answerLimitMs: number) {
    this.answerLimitMs = answerLimitMs;
    this.socket = connect({ ...at, noDelay: true });
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', (error: NodeJS.ErrnoException) => this.end(error.code ?? error.name, true));
    this.socket.on('close', () => this.end('closed', true));
  }

  /** False once it takes no further request. */
  get usable(): boolean {
    return !this.closes && !this.socket.destroyed;
  }

  /** Sends a whole request. `done` is called once, with the end of its answer. */
  send(request: string | Buffer, done: (outcome: Outcome) => void): void {
    this.done = done;
    this.timer = setTimeout(() => this.end('timed out', true), this.answerLimitMs);
    this.socket.write(request);
  }

  close(): void {
    this.closes = true;
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    if (this.bodyLeft === null) {
      this.head += chunk.toString('latin1');
      const headEnd = this.head.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const fields = this.head.slice(0, headEnd).toLowerCase();
      const length = /\r\ncontent-length: *(\d+)/.exec(fields)?.[1];
      if (length === undefined) {
        this.end('unreadable', true);
        return;
      }
      if (fields.includes('\r\nconnection: close')) this.closes = true;
      this.bodyLeft = Number(length) - (this.head.length - headEnd - HEAD_END.length);
    } else this.bodyLeft -= chunk.length;
    if (this.bodyLeft <= 0) this.end(Number(this.head.slice(STATUS_AT, STATUS_AT + 3)), false);
  }

  private end(outcome: Outcome, isBroken: boolean): void {
    clearTimeout(this.timer);
    if (isBroken) this.close();
    this.head = '';
    this.bodyLeft = null;
    const { done } = this;
    this.done = null;
    done?.(outcome);
  }
}

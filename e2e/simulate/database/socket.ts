import { Duplex } from 'node:stream';

/** The far end of a socket. */
export interface Line {
  receive(bytes: Buffer): void;
  /** The near end is gone. */
  hangUp(): void;
}

/** How a socket reaches an address. */
export type Dial = (socket: VirtualSocket) => void;

/** A socket without a network: as much of Node's as a database driver uses. */
export class VirtualSocket extends Duplex {
  line: Line | null = null;
  private readonly dial: Dial;

  constructor(dial: Dial) {
    super({ decodeStrings: true });
    this.dial = dial;
  }

  connect(): this {
    this.dial(this);
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Connects it to a line. */
  open(line: Line): void {
    if (this.destroyed) {
      line.hangUp();
      return;
    }
    this.line = line;
    this.emit('connect');
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.line?.receive(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.line?.hangUp();
    done();
    this.push(null);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.line?.hangUp();
    this.line = null;
    done(error);
  }
}

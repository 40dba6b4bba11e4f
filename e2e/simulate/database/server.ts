import type { Rng } from '../../world/plan/rng.ts';
import type { Owner, Scheduler } from '../kernel/scheduler.ts';
import type { Engine } from './engine.ts';
import type { VirtualSocket } from './socket.ts';
import {
  readText,
  splitMessages,
  type TransactionState,
  type WireMessage,
  writeError,
  writeMessage,
  writeReady,
} from './wire.ts';

export type StatementFault = 'none' | 'lost_before' | 'lost_after' | 'timed_out';

/** How the server behaves at present. */
export interface DatabaseConditions {
  isAway: boolean;
  /** How likely each statement's connection is lost, before or after it ran, or its time is up. */
  lossPerStatement: number;
  timeoutPerStatement: number;
  /** Milliseconds of a round trip, at most. */
  latencyMs: number;
}

/** A statement that a process sent: everything up to its Sync, or one simple query. */
interface Request {
  readonly session: Session;
  readonly messages: readonly WireMessage[];
}

const PARSE_COMPLETE = writeMessage('1');
const COPY_TYPES = new Set(['d', 'c', 'f']);

/**
 * The database server of a world: sessions over one engine. Statements run one at a time, at one moment of virtual time each; a session
 * in a transaction has the engine to itself until it ends.
 */
export class DatabaseServer {
  readonly conditions: DatabaseConditions = { isAway: false, lossPerStatement: 0, timeoutPerStatement: 0, latencyMs: 1 };
  /** Statements that ran. */
  statements = 0;
  private readonly engine: Engine;
  private readonly scheduler: Scheduler;
  private readonly draws: Rng;
  private readonly world: Owner;
  private readonly sessions = new Set<Session>();
  private readonly waiting: Request[] = [];
  private inTransaction: Session | null = null;

  constructor(engine: Engine, scheduler: Scheduler, draws: Rng, world: Owner) {
    this.engine = engine;
    this.scheduler = scheduler;
    this.draws = draws;
    this.world = world;
  }

  /** Connects a socket of a process, or refuses it while the server is away. */
  connect(socket: VirtualSocket, owner: Owner): void {
    this.scheduler.after(this.latency(), owner, () => {
      if (this.conditions.isAway) {
        const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
        socket.destroy(refused);
        return;
      }
      const session = new Session(this, socket, owner);
      this.sessions.add(session);
      socket.open(session);
    });
  }

  /** Ends every connection, as a restart does. */
  cutAll(): void {
    for (const session of [...this.sessions]) session.cut('57P01', 'terminating connection due to administrator command');
  }

  /** Ends the connections of a process that is gone. */
  cutOwner(owner: Owner): void {
    for (const session of [...this.sessions]) if (session.owner === owner) session.drop();
  }

  /** Runs statements outside any process, at once. Waits for no transaction: only for when nothing is under way. */
  query(text: string): readonly Readonly<Record<string, string | null>>[] {
    return readAnswer(this.engine.run(writeMessage('Q', `${text}\0`)));
  }

  /** True if a session has a transaction open. */
  get isInTransaction(): boolean {
    return this.inTransaction !== null;
  }

  submit(request: Request): void {
    this.scheduler.after(this.latency(), this.world, () => {
      if (!request.session.isOpen) return;
      this.waiting.push(request);
      this.runWaiting();
    });
  }

  forget(session: Session): void {
    this.sessions.delete(session);
    if (this.inTransaction !== session) return;
    this.engine.run(writeMessage('Q', 'ROLLBACK\0'));
    this.inTransaction = null;
    this.scheduler.after(0, this.world, () => this.runWaiting());
  }

  get now(): number {
    return this.scheduler.now;
  }

  at(time: number, owner: Owner, task: () => void): void {
    this.scheduler.at(time, owner, task);
  }

  latency(): number {
    const { latencyMs } = this.conditions;
    return (latencyMs * this.draws.between(20, 100)) / 200;
  }

  private runWaiting(): void {
    for (let at = 0; at < this.waiting.length; ) {
      const request = this.waiting[at];
      if (request === undefined) return;
      if (this.inTransaction !== null && this.inTransaction !== request.session) {
        at++;
        continue;
      }
      this.waiting.splice(at, 1);
      if (request.session.isOpen) this.runOne(request);
      at = 0;
    }
  }

  private runOne(request: Request): void {
    const { session, messages } = request;
    const fault = this.drawFault();
    if (fault === 'lost_before') {
      session.cut('57P01', 'terminating connection due to administrator command');
      return;
    }
    if (fault === 'timed_out') {
      this.refuse(request);
      return;
    }
    const answer = session.run(this.engine, messages);
    this.statements++;
    this.inTransaction = answer.state === 'I' ? null : session;
    for (const notification of answer.notifications) this.notify(notification);
    if (fault === 'lost_after') session.drop();
    else session.reply(answer.bytes);
    if (this.inTransaction === null && this.waiting.length > 0) this.runWaiting();
  }

  private drawFault(): StatementFault {
    const { lossPerStatement, timeoutPerStatement } = this.conditions;
    if (lossPerStatement === 0 && timeoutPerStatement === 0) return 'none';
    if (this.draws.chance(lossPerStatement)) return this.draws.chance(0.5) ? 'lost_before' : 'lost_after';
    return this.draws.chance(timeoutPerStatement) ? 'timed_out' : 'none';
  }

  /** The statement's time is up: a transaction that it is part of has failed, and one that it ends was rolled back. */
  private refuse({ session, messages }: Request): void {
    const state = this.inTransaction === session && !isEnd(messages) ? 'E' : 'I';
    if (this.inTransaction === session) {
      this.engine.run(writeMessage('Q', state === 'I' ? 'ROLLBACK\0' : 'SELECT 1/0\0'));
      if (state === 'I') this.inTransaction = null;
    }
    const error = writeError('57014', 'canceling statement due to statement timeout');
    session.reply(Buffer.concat([error, writeReady(state)]));
  }

  private notify(message: WireMessage): void {
    const { text: channel } = readText(message.bytes, 9);
    for (const session of this.sessions) if (session.channels.has(channel)) session.reply(message.bytes);
  }
}

/** One connection of a process. */
export class Session {
  readonly owner: Owner;
  readonly channels = new Set<string>();
  isOpen = true;
  private readonly server: DatabaseServer;
  private readonly socket: VirtualSocket;
  private hasBegun = false;
  private received: Buffer = Buffer.alloc(0);
  private gathered: WireMessage[] = [];
  /** The engine's names of this session's prepared statements. */
  private readonly prepared = new Map<string, string>();
  private lastReplyAt = 0;

  constructor(server: DatabaseServer, socket: VirtualSocket, owner: Owner) {
    this.server = server;
    this.socket = socket;
    this.owner = owner;
  }

  receive(bytes: Buffer): void {
    this.received = this.received.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.received, bytes]);
    if (!this.hasBegun) {
      const length = this.received.length >= 4 ? this.received.readUInt32BE(0) : Number.POSITIVE_INFINITY;
      if (this.received.length < length) return;
      this.received = this.received.subarray(length);
      this.hasBegun = true;
      this.reply(GREETING);
    }
    const { messages, rest } = splitMessages(this.received);
    this.received = rest;
    for (const message of messages) this.take(message);
  }

  hangUp(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.server.forget(this);
  }

  /** Ends the connection with an error that the process may still read. */
  cut(code: string, message: string): void {
    if (!this.isOpen) return;
    this.reply(writeError(code, message));
    this.drop();
  }

  /** Ends the connection without notice. */
  drop(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.server.forget(this);
    const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    this.later(() => this.socket.destroy(lost));
  }

  reply(bytes: Buffer): void {
    this.later(() => {
      if (!this.socket.destroyed) this.socket.push(bytes);
    });
  }

  /** Runs messages on the engine in this session's name. */
  run(engine: Engine, messages: readonly WireMessage[]): Answer {
    const [first] = messages;
    if (first?.type === 'Q') {
      const channels = listenedTo(readText(first.bytes, HEADER).text);
      if (channels !== null) return this.listen(engine, channels);
    }
    const { statements } = engine;
    const parsed: string[] = [];
    const sent = messages.flatMap((message) => this.translate(message, statements, parsed) ?? []);
    const skipped = messages.filter(({ type }) => type === 'P').length - parsed.length;
    const { messages: answers } = splitMessages(engine.run(Buffer.concat(sent)));
    const own = answers.filter(({ type }) => type !== 'A');
    // Statements after the first error were not prepared.
    const done = own.filter(({ type }) => type === '1').length;
    for (const key of parsed.slice(done)) statements.delete(key);
    const parses = new Array<Buffer>(skipped).fill(PARSE_COMPLETE);
    return {
      bytes: Buffer.concat([...parses, ...own.map(({ bytes }) => bytes)]),
      state: stateIn(own.at(-1)),
      notifications: answers.filter(({ type }) => type === 'A'),
    };
  }

  /** Statements are prepared once for all sessions, also those that a driver sends without a name. */
  private translate({ type, bytes }: WireMessage, statements: Map<string, string>, parsed: string[]): Buffer | null {
    switch (type) {
      case 'P': {
        const { text: name, end } = readText(bytes, HEADER);
        const content = bytes.subarray(end);
        const key = content.toString('latin1');
        const known = statements.get(key);
        const own = known ?? `s${statements.size}_${this.server.statements}`;
        this.prepared.set(name, own);
        if (known !== undefined) return null;
        statements.set(key, own);
        parsed.push(key);
        return writeMessage('P', `${own}\0`, content);
      }
      case 'B': {
        const portal = readText(bytes, HEADER);
        const statement = readText(bytes, portal.end);
        return writeMessage('B', `${portal.text}\0${this.prepared.get(statement.text) ?? ''}\0`, bytes.subarray(statement.end));
      }
      case 'D':
      case 'C': {
        if (bytes.readUInt8(HEADER) !== 'S'.charCodeAt(0)) return bytes;
        if (type === 'C') return writeMessage('C', 'Snone\0');
        const { text: name } = readText(bytes, HEADER + 1);
        return writeMessage('D', `S${this.prepared.get(name) ?? ''}\0`);
      }
      default:
        return bytes;
    }
  }

  /** All sessions are one to the engine, which listens to every channel; who hears of it is decided here. */
  private listen(engine: Engine, channels: readonly string[]): Answer {
    const completions = channels.map((channel) => {
      engine.run(writeMessage('Q', `LISTEN "${channel}"\0`));
      this.channels.add(channel);
      return writeMessage('C', 'LISTEN\0');
    });
    return { bytes: Buffer.concat([...completions, writeReady('I')]), state: 'I', notifications: [] };
  }

  private take(message: WireMessage): void {
    if (message.type === 'X') {
      this.hangUp();
      this.later(() => this.socket.push(null));
      return;
    }
    if (COPY_TYPES.has(message.type)) throw new Error('COPY is not simulated');
    this.gathered.push(message);
    if (message.type !== 'S' && message.type !== 'Q') return;
    const messages = this.gathered;
    this.gathered = [];
    this.server.submit({ session: this, messages });
  }

  /** Answers arrive in the order they were given. */
  private later(task: () => void): void {
    this.lastReplyAt = Math.max(this.lastReplyAt, this.server.now + this.server.latency());
    this.server.at(this.lastReplyAt, this.owner, task);
  }
}

interface Answer {
  readonly bytes: Buffer;
  readonly state: TransactionState;
  readonly notifications: readonly WireMessage[];
}

const HEADER = 5;

const GREETING = Buffer.concat([
  writeMessage('R', Buffer.alloc(4)),
  ...[
    ['server_version', '17.5'],
    ['client_encoding', 'UTF8'],
    ['DateStyle', 'ISO, MDY'],
    ['TimeZone', 'UTC'],
    ['integer_datetimes', 'on'],
    ['standard_conforming_strings', 'on'],
  ].map(([name, value]) => writeMessage('S', `${name}\0${value}\0`)),
  writeMessage('K', Buffer.alloc(8)),
  writeReady('I'),
]);

/** True if a query ends its transaction, which the server does whatever comes of it. */
function isEnd([first]: readonly WireMessage[]): boolean {
  return first?.type === 'Q' && /^\s*(COMMIT|ROLLBACK)\s*;?\s*$/i.test(readText(first.bytes, HEADER).text);
}

function stateIn(last: WireMessage | undefined): TransactionState {
  const state = last?.type === 'Z' ? String.fromCharCode(last.bytes.readUInt8(HEADER)) : 'I';
  return state === 'T' || state === 'E' ? state : 'I';
}

/** The channels of a query that only listens; null for any other. */
function listenedTo(query: string): string[] | null {
  const parts = query.split(';').map((part) => part.trim());
  const channels: string[] = [];
  for (const part of parts) {
    if (part === '') continue;
    const [, channel] = /^LISTEN\s+"?([^"\s]+)"?$/i.exec(part) ?? [];
    if (channel === undefined) return null;
    channels.push(channel);
  }
  return channels;
}

/** The rows of a simple query's answer, as text. Throws what the server refused it with. */
export function readAnswer(answer: Buffer): Readonly<Record<string, string | null>>[] {
  let columns: string[] = [];
  const rows: Record<string, string | null>[] = [];
  for (const { type, bytes } of splitMessages(answer).messages) {
    if (type === 'E') throw new Error(bytes.toString('utf8', HEADER).replaceAll('\0', ' '));
    if (type === 'T') columns = readColumns(bytes);
    if (type === 'D') rows.push(readRow(bytes, columns));
  }
  return rows;
}

function readColumns(bytes: Buffer): string[] {
  const columns: string[] = [];
  let at = HEADER + 2;
  for (let left = bytes.readUInt16BE(HEADER); left > 0; left--) {
    const { text, end } = readText(bytes, at);
    columns.push(text);
    at = end + 18;
  }
  return columns;
}

function readRow(bytes: Buffer, columns: readonly string[]): Record<string, string | null> {
  const row: Record<string, string | null> = {};
  let at = HEADER + 2;
  for (const column of columns) {
    const length = bytes.readInt32BE(at);
    at += 4;
    row[column] = length === -1 ? null : bytes.toString('utf8', at, at + length);
    at += Math.max(0, length);
  }
  return row;
}

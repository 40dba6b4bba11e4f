/** One message of PostgreSQL's protocol: its type, and its bytes with type and length. */
export interface WireMessage {
  readonly type: string;
  readonly bytes: Buffer;
}

const HEADER = 5;

/** Splits bytes into whole messages, and the beginning of one that is not whole yet. */
export function splitMessages(bytes: Buffer): { readonly messages: readonly WireMessage[]; readonly rest: Buffer } {
  const messages: WireMessage[] = [];
  let at = 0;
  while (bytes.length - at >= HEADER) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    messages.push({ type: String.fromCharCode(bytes.readUInt8(at)), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** A message of this type and content. */
export function writeMessage(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)));
  const header = Buffer.alloc(HEADER);
  header.write(type, 'latin1');
  header.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
}

/** The zero-terminated text at a place, and where the next begins. */
export function readText(bytes: Buffer, at: number): { readonly text: string; readonly end: number } {
  const zero = bytes.indexOf(0, at);
  return { text: bytes.toString('utf8', at, zero), end: zero + 1 };
}

/** A refusal as the server writes it. */
export function writeError(code: string, message: string): Buffer {
  return writeMessage('E', `SERROR\0VERROR\0C${code}\0M${message}\0\0`);
}

/** "Ready for the next query": idle, in a transaction, or in a failed one. */
export type TransactionState = 'I' | 'T' | 'E';

export function writeReady(state: TransactionState): Buffer {
  return writeMessage('Z', state);
}

/*
 * What COPY writes, rewritten byte by byte: a file of millions of rows passes through the process that takes payments, and making
 * a text of every value takes it twice as long.
 */

/** Where bytes come from and where they go to. */
export interface Tape {
  from: Uint8Array;
  /** What is read next. */
  read: number;
  /** Has room for whatever is written before it is asked for more. */
  to: Uint8Array;
  /** Where is written next. */
  written: number;
}

/** Writes the value that is read next and reads on to what ends it, a tab or the line's end. It may not be `\N`, that there is none. */
export type WriteValue = (tape: Tape) => void;

const byteOf = (character: string) => character.charCodeAt(0);
const [TAB, BACKSLASH, LETTER_N] = [byteOf('\t'), byteOf('\\'), byteOf('N')];
export const LINE_FEED = byteOf('\n');
const [QUOTE, APOSTROPHE, SPACE, DOT, CARRIAGE_RETURN] = [byteOf('"'), byteOf("'"), byteOf(' '), byteOf('.'), byteOf('\r')];
const [ZERO, NINE, LETTER_T, LETTER_V] = [byteOf('0'), byteOf('9'), byteOf('t'), byteOf('v')];
const [LETTER_T_OF_TIME, LETTER_Z, LAST_OF_ASCII] = [byteOf('T'), byteOf('Z'), 0x7f];
/** No value of a byte takes more room than this, `\u001f`. */
export const MOST_PER_BYTE = 6;
/** No value takes more than this beside its bytes: quotes, an apostrophe, a moment's missing digits. */
export const MOST_PER_VALUE = 16;

/** What stands for it after a backslash, by its letter. */
const MEANT = Uint8Array.from({ length: 256 }, (_, letter) => letter);
for (const [letter, character] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' })) {
  MEANT[byteOf(letter)] = byteOf(character);
}

/** What programs for spreadsheets take for a formula when a cell begins with it, and the ends of its full-width forms. */
const FORMULA = new Uint8Array(256);
for (const character of '=+-@\t\r\n') FORMULA[byteOf(character)] = 1;
const FULL_WIDTH: readonly Buffer[] = ['＝', '＋', '－', '＠'].map((character) => Buffer.from(character));

function put(tape: Tape, byte: number): void {
  tape.to[tape.written++] = byte;
}

/** Writes some bytes as they are. */
export function putAll(tape: Tape, bytes: Uint8Array): void {
  const { to } = tape;
  let at = tape.written;
  for (let index = 0; index < bytes.length; index++) to[at++] = bytes[index] ?? 0;
  tape.written = at;
}

/** Copies so many bytes. */
function copy(tape: Tape, count: number): void {
  const { from, to } = tape;
  for (let left = count; left > 0; left--) to[tape.written++] = from[tape.read++] ?? 0;
}

function ends(byte: number): boolean {
  return byte === TAB || byte === LINE_FEED;
}

/** Reads over `\N`, that there is no value; whether there was none. */
export function skipNothing(tape: Tape): boolean {
  const { from, read } = tape;
  if (from[read] !== BACKSLASH || from[read + 1] !== LETTER_N || !ends(from[read + 2] ?? LINE_FEED)) return false;
  tape.read += 2;
  return true;
}

/** What has nothing in it that is meant otherwise. */
export const writePlain: WriteValue = (tape) => {
  const { from, to } = tape;
  let [index, at] = [tape.read, tape.written];
  for (let byte = from[index] ?? LINE_FEED; !ends(byte); byte = from[++index] ?? LINE_FEED) to[at++] = byte;
  tape.read = index;
  tape.written = at;
};

/** A decimal without the noughts that end its fraction. */
export const writeDecimal: WriteValue = (tape) => {
  const { from, to } = tape;
  let [index, at, whole] = [tape.read, tape.written, true];
  for (let byte = from[index] ?? LINE_FEED; !ends(byte); byte = from[++index] ?? LINE_FEED) {
    if (byte === DOT) whole = false;
    to[at++] = byte;
  }
  if (!whole) {
    while (to[at - 1] === ZERO) at--;
    if (to[at - 1] === DOT) at--;
  }
  tape.read = index;
  tape.written = at;
};

const [TRUE, FALSE] = [Buffer.from('true'), Buffer.from('false')];
export const writeTruth: WriteValue = (tape) => putAll(tape, tape.from[tape.read++] === LETTER_T ? TRUE : FALSE);

const [SECONDS_LENGTH, DAY_LENGTH] = ['2026-11-20 16:00:00'.length, '2026-11-20'.length];
const [MILLISECOND_DIGITS, ZONE] = [3, Buffer.from('+00')];

/** A moment in UTC to the millisecond, from what PostgreSQL writes where the zone is UTC: `2026-11-20 16:00:00.12+00`. */
export const writeMoment: WriteValue = (tape) => {
  const began = tape.read;
  copy(tape, DAY_LENGTH);
  put(tape, LETTER_T_OF_TIME);
  tape.read++;
  copy(tape, SECONDS_LENGTH - DAY_LENGTH - 1);
  put(tape, DOT);
  if (tape.from[tape.read] === DOT) tape.read++;
  for (let digit = 0; digit < MILLISECOND_DIGITS; digit++) {
    const byte = tape.from[tape.read] ?? 0;
    const isDigit = byte >= ZERO && byte <= NINE;
    put(tape, isDigit ? byte : ZERO);
    if (isDigit) tape.read++;
  }
  put(tape, LETTER_Z);
  const zone = tape.read;
  if (ZONE.every((byte, at) => tape.from[zone + at] === byte) && ends(tape.from[zone + ZONE.length] ?? LINE_FEED))
    tape.read += ZONE.length;
  else throw new Error(`not a moment in UTC to the millisecond: ${valueAt(tape.from, began)}`);
};

function valueAt(from: Uint8Array, began: number): string {
  const end = from.findIndex((byte, at) => at >= began && ends(byte));
  return Buffer.from(from.subarray(began, end)).toString();
}

/** A cell of comma-separated values by RFC 4180, in quotes; one that looks like a formula has an apostrophe before it. */
export const writeCell: WriteValue = (tape) => {
  const { from, to } = tape;
  put(tape, QUOTE);
  if (looksLikeFormula(from, tape.read)) put(tape, APOSTROPHE);
  let [index, at] = [tape.read, tape.written];
  for (let byte = from[index] ?? LINE_FEED; !ends(byte); byte = from[++index] ?? LINE_FEED) {
    const character = byte === BACKSLASH ? meant(from, ++index) : byte;
    if (character === QUOTE) to[at++] = QUOTE;
    to[at++] = character;
  }
  to[at++] = QUOTE;
  tape.read = index;
  tape.written = at;
};

function looksLikeFormula(from: Uint8Array, read: number): boolean {
  const first = from[read] ?? 0;
  if (first === BACKSLASH) return FORMULA[meant(from, read + 1)] === 1;
  if (FORMULA[first] === 1) return !ends(first);
  return first > LAST_OF_ASCII && FULL_WIDTH.some((wide) => wide.every((byte, at) => from[read + at] === byte));
}

function meant(from: Uint8Array, letter: number): number {
  return MEANT[from[letter] ?? 0] ?? 0;
}

const HEX = Buffer.from('0123456789abcdef');
const UNICODE = Buffer.from('\\u00');

/** A text of JSON. COPY writes what it means otherwise as JSON does, but for the vertical tab. */
export const writeJsonText: WriteValue = (tape) => {
  const { from, to } = tape;
  put(tape, QUOTE);
  let index = tape.read;
  for (let byte = from[index] ?? LINE_FEED; !ends(byte); byte = from[++index] ?? LINE_FEED) {
    if (byte === BACKSLASH && from[index + 1] !== LETTER_V) {
      to[tape.written++] = BACKSLASH;
      to[tape.written++] = from[++index] ?? 0;
    } else if (byte === BACKSLASH) putCode(tape, meant(from, ++index));
    else if (byte < SPACE) putCode(tape, byte);
    else {
      if (byte === QUOTE) to[tape.written++] = BACKSLASH;
      to[tape.written++] = byte;
    }
  }
  tape.read = index;
  put(tape, QUOTE);
};

function putCode(tape: Tape, byte: number): void {
  putAll(tape, UNICODE);
  put(tape, HEX[byte >> 4] ?? 0);
  put(tape, HEX[byte & 15] ?? 0);
}

/** JSON as it was stored, on one line: outside its texts, a new line means no more than a space. */
export const writeJsonValue: WriteValue = (tape) => {
  const { from, to } = tape;
  let [index, at] = [tape.read, tape.written];
  for (let byte = from[index] ?? LINE_FEED; !ends(byte); byte = from[++index] ?? LINE_FEED) {
    const character = byte === BACKSLASH ? meant(from, ++index) : byte;
    to[at++] = character === LINE_FEED || character === CARRIAGE_RETURN ? SPACE : character;
  }
  tape.read = index;
  tape.written = at;
};

/** What `write` writes, in quotes: a text of JSON, where nothing in it is written otherwise there. */
export function inQuotes(write: WriteValue): WriteValue {
  return (tape) => {
    put(tape, QUOTE);
    write(tape);
    put(tape, QUOTE);
  };
}

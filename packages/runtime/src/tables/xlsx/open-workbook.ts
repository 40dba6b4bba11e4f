import { setImmediate } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';

/** A sheet as the workbook names it. */
export interface WorkbookSheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The part of the workbook that it is in. */
  readonly part: string;
}

/** The parts of a workbook by which the cells of every sheet are read. */
export interface Workbook {
  readonly sheets: readonly WorkbookSheet[];
  readonly strings: readonly string[];
  /** By the styles of cells. */
  readonly formats: readonly DateFormat[];
  readonly is1904: boolean;
  /** True if the values of formulas are placeholders: the file asks for them to be computed when it is opened. */
  readonly awaitsComputing: boolean;
  /** The content of a part; null without one. */
  part(name: string): Uint8Array | null;
}

/** Why a workbook is not read: `column 1 ${message}` reads as a sentence. */
export class WorkbookError extends Error {}

/** A workbook is damaged. */
export const DAMAGED = 'is in a workbook that is damaged or too large';
/** A file is no workbook. */
export const NO_WORKBOOK = 'is in a workbook that cannot be read';

/** A small file may unpack to gigabytes. */
const UNPACKED_MAX = 128 * 1_048_576;

/** Reads what the sheets of a workbook share, and no sheet. Throws if the bytes are not a workbook. */
export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const part = partsOf(bytes);
  const path = (await relationsOf(part, '')).find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const document = part(path);
  if (document === null) throw new WorkbookError(NO_WORKBOOK);
  const relations = await relationsOf(part, path);
  const partOf = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const named: { name: string; isHidden: boolean; id: string }[] = [];
  let is1904 = false;
  let awaitsComputing = false;
  await readXml(document, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904']);
      else if (name === 'calcPr') awaitsComputing = isTrue(attributes['fullCalcOnLoad']);
      else if (name === 'sheet') {
        const [, id = ''] = Object.entries(attributes).find(([key]) => /^(?:\w+:)?id$/.test(key)) ?? [];
        named.push({ name: attributes['name'] ?? '', isHidden: (attributes['state'] ?? 'visible') !== 'visible', id });
      }
    },
  });
  // A sheet that is a chart has no cells.
  const sheets = named.flatMap(({ name, isHidden, id }): WorkbookSheet[] => {
    const found = relations.find((relation) => relation.id === id && relation.type === 'worksheet');
    return found === undefined ? [] : [{ name, isHidden, part: found.target }];
  });
  const strings = await stringsOf(part(partOf('sharedStrings') ?? ''));
  const formats = await formatsOf(part(partOf('styles') ?? ''));
  return { sheets, strings, formats, is1904, awaitsComputing, part };
}

/** Reads parts one by one; together they have a limit, by the sizes that unpacking then goes by. */
function partsOf(bytes: Uint8Array): (name: string) => Uint8Array | null {
  const sizes = new Map<string, number>();
  return (name) => {
    if (name === '') return null;
    const files = unzip(bytes, (file) => {
      if (file.name.toLowerCase() !== name.toLowerCase()) return false;
      sizes.set(file.name, file.originalSize);
      if ([...sizes.values()].reduce((sum, size) => sum + size, 0) > UNPACKED_MAX) throw new WorkbookError(DAMAGED);
      return true;
    });
    return Object.values(files)[0] ?? null;
  };
}

function unzip(bytes: Uint8Array, filter: NonNullable<Parameters<typeof unzipSync>[1]>['filter']): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { ...(filter === undefined ? {} : { filter }) });
  } catch (error) {
    throw error instanceof WorkbookError ? error : new WorkbookError(DAMAGED, { cause: error });
  }
}

interface Relation {
  readonly id: string;
  /** The last word of its type. */
  readonly type: string;
  readonly target: string;
}

/** Where a part names the others; none where it names none. */
async function relationsOf(part: (name: string) => Uint8Array | null, of: string): Promise<Relation[]> {
  const at = of.lastIndexOf('/') + 1;
  const document = part(`${of.slice(0, at)}_rels/${of.slice(at)}.rels`);
  const relations: Relation[] = [];
  if (document === null) return relations;
  await readXml(document, {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return;
      // Relative to the part, or from the root of the file.
      const target = URL.parse(Target, `file:///${of.slice(0, at)}`)?.pathname.slice(1) ?? '';
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: target.replaceAll('%20', ' ') });
    },
  });
  return relations;
}

async function stringsOf(document: Uint8Array | null): Promise<string[]> {
  const strings: string[] = [];
  if (document === null) return strings;
  let text = '';
  let isText = false;
  let isReading = false;
  await readXml(document, {
    open(name) {
      if (name === 'si') text = '';
      // The reading of a word, in small letters beside it, is no part of it.
      else if (name === 'rPh') isReading = true;
      else if (name === 't') isText = !isReading;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isReading = false;
      else if (name === 'si') strings.push(unescapeText(text));
    },
  });
  return strings;
}

/** Characters that XML cannot hold are written by their number: `_x000D_`. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

async function formatsOf(document: Uint8Array | null): Promise<DateFormat[]> {
  const formats: DateFormat[] = [];
  if (document === null) return formats;
  const codes = new Map<number, DateFormat>();
  let isOfCells = false;
  await readXml(document, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatOfCode(formatCode));
      else if (name === 'cellXfs') isOfCells = true;
      else if (name === 'xf' && isOfCells) formats.push(codes.get(Number(numFmtId)) ?? builtInFormat(Number(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}

/** True for a flag that is set, as XML Schema writes it. */
export function isTrue(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}

/** Meaning that a number format gives a number. */
interface DateFormat {
  readonly kind: 'number' | 'date' | 'time';
  /** True if it shows parts of a second. */
  readonly hasFraction: boolean;
}

const NUMBER: DateFormat = { kind: 'number', hasFraction: false };
const DATE: DateFormat = { kind: 'date', hasFraction: false };
const TIME: DateFormat = { kind: 'time', hasFraction: false };

/** The formats that workbooks name by number alone, from ECMA-376 18.8.30; those from 27 on are of the far east. */
function builtInFormat(id: number): DateFormat {
  if (id >= 18 && id <= 21) return TIME;
  if (id === 45 || id === 46) return TIME;
  if (id === 47) return { kind: 'time', hasFraction: true };
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? DATE : NUMBER;
}

/** A format by its code: it is of dates where letters of dates are left without its texts, colours, conditions and currencies. */
function formatOfCode(code: string): DateFormat {
  const bare = code
    .replaceAll(/"[^"]*"|\\.|_./g, '')
    .replaceAll(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .replaceAll(/general|am\/pm|a\/p/gi, '');
  const [shown = ''] = bare.split(';');
  const hasFraction = /s[.,]0/i.test(shown);
  const letters = shown.replaceAll(/(?<=s)[.,]0+/gi, '');
  if (/[#?0]/.test(letters) || !/[dmyhs]/i.test(letters)) return NUMBER;
  return { kind: /[dy]|mmm/i.test(letters) || !/[hs]/i.test(letters) ? 'date' : 'time', hasFraction };
}

const DAY_S = 86_400;
/** Day 0 of workbooks. */
const EPOCH = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1_462;
/** 1900 has a 29 February there, which is day 60. */
const LEAP_DAY = 60;
/** 31 December 9999. */
const DAYS_MAX = 2_958_466;

/**
 * A number as the day or time that a workbook shows: `2026-11-25T14:03:00`, or `14:03:00` of a time without a day; null for a number that
 * is neither. Numbers of days are not exact, so that it is the nearest second.
 */
export function dateText(days: number, { kind, hasFraction }: DateFormat, is1904: boolean): string | null {
  if (!(days >= 0 && days < DAYS_MAX)) return null;
  const unit = hasFraction ? 1_000 : 1;
  const time = (Math.round(days * DAY_S * unit) / unit) * 1_000;
  if (kind === 'time' && time < DAY_S * 1_000) return isoText(time).slice(11);
  const leap = !is1904 && days >= 1 && days < LEAP_DAY ? 1 : 0;
  return isoText(EPOCH + time + (leap + (is1904 ? DAYS_TO_1904 : 0)) * DAY_S * 1_000);
}

function isoText(time: number): string {
  return new Date(Math.round(time)).toISOString().replace(/(?:\.000)?Z$/, '');
}

/** A part of the workbook is not well-formed XML. */
export class XmlError extends Error {}

/** Callbacks for the elements of a document; names come without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** True once the rest of the document is not needed. */
  isDone?(): boolean;
}

/** The document is read in pieces, so that other requests are answered in between, and never held as one text. */
const PIECE = 262_144;

/** Reads an XML document from its beginning to its end, without a tree. Throws {@link XmlError} if the bytes are not one. */
export async function readXml(bytes: Uint8Array, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser();
  const nameOf = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('error', ({ message }) => {
    throw new XmlError(message);
  });
  parser.on('doctype', () => {
    throw new XmlError('a document type, which no part of a workbook has');
  });
  if (handler.open !== undefined) parser.on('opentag', ({ name, attributes }) => handler.open?.(nameOf(name), attributes));
  if (handler.close !== undefined) parser.on('closetag', ({ name }) => handler.close?.(nameOf(name)));
  if (handler.text !== undefined) {
    parser.on('text', (text) => handler.text?.(text));
    parser.on('cdata', (text) => handler.text?.(text));
  }
  const decoder = new TextDecoder('utf-8');
  for (let at = 0; at < bytes.length; at += PIECE) {
    if (at > 0) await setImmediate();
    parser.write(decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }));
    if (handler.isDone?.() === true) return;
  }
  parser.write(decoder.decode());
  parser.close();
}

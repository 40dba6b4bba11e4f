import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';

/** A part of the workbook is not well-formed XML. */
export class XmlError extends Error {}

/** What is done with the elements of a document; names come without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** True once the rest of the document is not needed. */
  isDone?(): boolean;
}

/** The document is read in pieces, so that other requests are answered in between, and never held as one text. */
const PIECE = 262_144;

/** Reads an XML document from its beginning to its end, without a tree. Throws {@link XmlError} where it is none. */
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

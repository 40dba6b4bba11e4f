import { DOMParser, Element, onWarningStopParsing } from '@xmldom/xmldom';

const ELEMENTS_MAX = 10_000;
const DEPTH_MAX = 40;

/** Comments, document types, entities and sections of text: parsers of XML disagree about them, and no message of SAML needs one. */
const DECLARATION = /<!/;
/** An instruction to the processor, other than the declaration at the beginning. */
const INSTRUCTION = /(?<!^)<\?|^<\?(?!xml\s)/;

/** Not written where it is used: types of the version that the sign-in library brings along know no `onError`. */
const STRICT = { locator: true, onError: onWarningStopParsing };

/**
 * The root of an XML document; null where it is not well-formed, has markup that SAML does without (document types, entities, comments, CDATA
 * sections, processing instructions), or is larger or deeper than any message of SAML.
 */
export function parseXml(text: string): Element | null {
  const source = text.replace(/^\uFEFF/, '').trim();
  if (DECLARATION.test(source) || INSTRUCTION.test(source)) return null;
  let root: Element | null;
  try {
    root = new DOMParser(STRICT).parseFromString(source, 'text/xml').documentElement;
  } catch {
    return null;
  }
  return root !== null && isBounded(root) ? root : null;
}

function isBounded(root: Element): boolean {
  let level = [root];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth >= DEPTH_MAX || count > ELEMENTS_MAX) return false;
    level = level.flatMap((element) => elementsIn(element));
  }
  return true;
}

function elementsIn(element: Element): Element[] {
  return [...element.childNodes].filter((node) => node instanceof Element);
}

/** The elements directly below one that have this name. */
export function childrenOf(element: Element | undefined, namespace: string, name: string): Element[] {
  if (element === undefined) return [];
  return elementsIn(element).filter((each) => each.namespaceURI === namespace && each.localName === name);
}

/** The one element of this name directly below one; undefined where there is none, or are several. */
export function onlyChild(element: Element | undefined, namespace: string, name: string): Element | undefined {
  const [first, ...others] = childrenOf(element, namespace, name);
  return others.length === 0 ? first : undefined;
}

/** The elements anywhere below one that have this name, in whichever namespace. */
export function allNamed(element: Element, name: string): Element[] {
  return [...element.getElementsByTagNameNS('*', name)];
}

/** The text of an element that has nothing but text in it; undefined for any other. */
export function textOf(element: Element | undefined): string | undefined {
  if (element === undefined || elementsIn(element).length > 0) return undefined;
  return element.textContent?.trim() ?? '';
}

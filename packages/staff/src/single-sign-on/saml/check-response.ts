import type { Element } from '@xmldom/xmldom';
import type { ServiceProvider } from './service-provider.ts';
import { allNamed, childrenOf, onlyChild, parseXml, textOf } from './xml.ts';

/** Why an answer of a provider of SAML is refused. The sign-in page has a sentence for each. */
export type SamlRefusal =
  /** Not one message with one plain assertion, or with markup that is read in several ways. */
  | 'saml_unreadable'
  /** The assertion itself has no signature, or there are more than SAML needs. */
  | 'saml_unsigned'
  /** Signed by an outdated algorithm, or transformed otherwise than SAML allows. */
  | 'saml_algorithm'
  /** The provider did not sign the person in. */
  | 'access_denied'
  /** For another service: its audience, recipient or destination is not ours. */
  | 'saml_not_for_us'
  /** To another request than this browser's. */
  | 'wrong_token'
  /** Expired, not valid yet, or without an end. */
  | 'wrong_time'
  /** No name that stays the same at the next sign-in. */
  | 'saml_name_id';

/** Values that an answer must match. */
export interface ExpectedResponse {
  readonly us: ServiceProvider;
  /** Id of the request that this browser was sent with. */
  readonly requestId: string;
  readonly now: Date;
}

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Algorithms by the element that names one: SHA-1 and MD5, HMAC, XPath and XSLT are none of them. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  CanonicalizationMethod: ['http://www.w3.org/2001/10/xml-exc-c14n#'],
  Transform: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
};

/** Base64 of 192 KiB: people are in at most 2,000 groups. */
export const RESPONSE_MAX_CHARACTERS = 262_144;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Clocks of a provider and of this machine may differ by as much. */
export const SKEW_MS = 60_000;
const NAME_ID_MAX = 256;
/** Instants of SAML are in UTC (Core, 1.3.3). */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * Why the answer of a provider is refused before the sign-in library reads it; null where it may go on. Checks what the library does not: that
 * the request, the recipient and the end that the **signed** part names are this browser's and ours (the library reads the request from the
 * unsigned envelope and no end of the confirmation), algorithms (the library checks none with the POST binding), and that all parsers on the way
 * read the same document. The library then checks the signature over exactly this assertion.
 */
export function checkResponse(encoded: string, expected: ExpectedResponse): SamlRefusal | null {
  const response = decode(encoded);
  if (response?.localName !== 'Response' || response.namespaceURI !== PROTOCOL) return 'saml_unreadable';
  const status = onlyChild(onlyChild(response, PROTOCOL, 'Status'), PROTOCOL, 'StatusCode')?.getAttribute('Value');
  if (status !== SUCCESS) return status === undefined || status === null ? 'saml_unreadable' : 'access_denied';
  const assertion = onlyChild(response, ASSERTION, 'Assertion');
  if (
    assertion === undefined ||
    allNamed(response, 'Assertion').length > 1 ||
    allNamed(response, 'EncryptedAssertion').length > 0
  ) {
    return 'saml_unreadable';
  }
  return (
    checkSignatures(response, assertion) ??
    checkEnvelope(response, expected) ??
    checkConfirmation(assertion, expected) ??
    checkConditions(assertion, expected) ??
    checkStatements(assertion)
  );
}

function decode(encoded: string): Element | null {
  const base64 = encoded.replace(/\s+/g, '');
  if (base64.length > RESPONSE_MAX_CHARACTERS || !BASE64.test(base64)) return null;
  try {
    return parseXml(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64')));
  } catch {
    return null;
  }
}

/** The assertion is signed as a whole, the envelope may be, and nothing else is in the document. */
function checkSignatures(response: Element, assertion: Element): SamlRefusal | null {
  const signed = [response, assertion].flatMap((element) =>
    childrenOf(element, SIGNATURE, 'Signature').map((signature) => ({ element, signature })),
  );
  const isOfAssertion = signed.filter(({ element }) => element === assertion).length === 1;
  if (!isOfAssertion || signed.length > 2 || allNamed(response, 'Signature').length !== signed.length) return 'saml_unsigned';
  if (allNamed(response, 'Object').length > 0 || allNamed(response, 'Manifest').length > 0) return 'saml_unsigned';
  for (const { element, signature } of signed) {
    const reference = onlyChild(onlyChild(signature, SIGNATURE, 'SignedInfo'), SIGNATURE, 'Reference');
    const id = element.getAttribute('ID') ?? '';
    if (id === '' || reference?.getAttribute('URI') !== `#${id}`) return 'saml_unsigned';
  }
  for (const [name, allowed] of Object.entries(ALGORITHMS)) {
    const isOutdated = (each: Element) => !allowed.includes(each.getAttribute('Algorithm') ?? '');
    if (allNamed(response, name).some(isOutdated)) return 'saml_algorithm';
  }
  return null;
}

function checkEnvelope(response: Element, { us, requestId }: ExpectedResponse): SamlRefusal | null {
  if ((response.getAttribute('Destination') ?? us.answerUrl) !== us.answerUrl) return 'saml_not_for_us';
  return response.getAttribute('InResponseTo') === requestId ? null : 'wrong_token';
}

/** The bearer of the assertion is this browser, for as long as the provider says (Profiles, 4.1.4.3). */
function checkConfirmation(assertion: Element, { us, requestId, now }: ExpectedResponse): SamlRefusal | null {
  const subject = onlyChild(assertion, ASSERTION, 'Subject');
  const nameId = onlyChild(subject, ASSERTION, 'NameID');
  const name = textOf(nameId) ?? '';
  if (name === '' || name.length > NAME_ID_MAX || nameId?.getAttribute('Format') === TRANSIENT) return 'saml_name_id';
  const confirmation = onlyChild(subject, ASSERTION, 'SubjectConfirmation');
  const data = onlyChild(confirmation, ASSERTION, 'SubjectConfirmationData');
  if (confirmation?.getAttribute('Method') !== BEARER || data === undefined) return 'saml_unreadable';
  if (data.getAttribute('Recipient') !== us.answerUrl) return 'saml_not_for_us';
  if (data.getAttribute('InResponseTo') !== requestId) return 'wrong_token';
  return isOver(data.getAttribute('NotOnOrAfter'), now) ? 'wrong_time' : null;
}

function checkConditions(assertion: Element, { us, now }: ExpectedResponse): SamlRefusal | null {
  const conditions = onlyChild(assertion, ASSERTION, 'Conditions');
  if (conditions === undefined) return 'saml_unreadable';
  const audiences = childrenOf(conditions, ASSERTION, 'AudienceRestriction');
  const isOurs = (restriction: Element) =>
    childrenOf(restriction, ASSERTION, 'Audience').some((audience) => textOf(audience) === us.entityId);
  if (audiences.length === 0 || !audiences.every(isOurs)) return 'saml_not_for_us';
  const begin = conditions.getAttribute('NotBefore');
  if (begin !== null && !(instantOf(begin) <= now.getTime() + SKEW_MS)) return 'wrong_time';
  return isOver(conditions.getAttribute('NotOnOrAfter'), now) ? 'wrong_time' : null;
}

/** The library matches names and values of attributes by their position. */
function checkStatements(assertion: Element): SamlRefusal | null {
  const statements = childrenOf(assertion, ASSERTION, 'AttributeStatement');
  const attributes = statements.flatMap((statement) => childrenOf(statement, ASSERTION, 'Attribute'));
  return attributes.some((attribute) => (attribute.getAttribute('Name') ?? '') === '') ? 'saml_unreadable' : null;
}

/** True from the end on; what has none is over too. */
function isOver(end: string | null, now: Date): boolean {
  return end === null || !(instantOf(end) > now.getTime() - SKEW_MS);
}

/** Epoch milliseconds of an instant; not a number for other text. */
function instantOf(text: string): number {
  return INSTANT.test(text) ? Date.parse(text) : Number.NaN;
}

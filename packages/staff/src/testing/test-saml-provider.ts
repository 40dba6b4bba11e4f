import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';

/** The part of `xml-crypto` that signs. Its own types bring those of an older xmldom along, which would take the place of ours. */
interface XmlSigner {
  addReference(
    reference: Readonly<Record<'xpath' | 'digestAlgorithm', string>> & { readonly transforms: readonly string[] },
  ): void;
  computeSignature(
    xml: string,
    options: { readonly prefix: string; readonly location: Readonly<Record<'reference' | 'action', string>> },
  ): void;
  getSignedXml(): string;
}
type SignerOptions = Readonly<Record<'privateKey' | 'publicCert' | 'signatureAlgorithm' | 'canonicalizationAlgorithm', string>>;
const { SignedXml }: { readonly SignedXml: new (options: SignerOptions) => XmlSigner } = createRequire(import.meta.url)(
  'xml-crypto',
);

/** A person at the provider, by the name id. */
export interface SamlAccount {
  readonly name: string;
  /** Attributes of an assertion about them, each with its values. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** An answer that is about to be signed: tests change it, and who signs which part of it, and how. */
export interface TamperedResponse {
  /** Values in the text of the answer; null leaves the attribute out. */
  status: string;
  destination: string | null;
  /** The request that the envelope names, which no signature need cover. */
  answeredRequest: string | null;
  assertionId: string;
  issuer: string;
  nameId: string;
  nameIdFormat: string;
  recipient: string | null;
  /** The request that the assertion names. */
  inResponseTo: string | null;
  confirmedUntil: Date | null;
  audience: string | null;
  notBefore: Date | null;
  notOnOrAfter: Date | null;
  attributes: Record<string, readonly string[]>;
  signedBy: 'provider' | 'stranger';
  signed: readonly ('Assertion' | 'Response')[];
  signatureAlgorithm: string;
  digestAlgorithm: string;
  /** Changes the text before it is signed. */
  rewrite: (xml: string) => string;
  /** Changes the text after it was signed. */
  alter: (xml: string) => string;
}

/** The form that a provider has the browser post. */
export interface SamlForm {
  readonly action: string;
  readonly fields: { readonly SAMLResponse: string; readonly RelayState: string };
}

/** A provider of SAML on this machine, with accounts and answers that tests change. */
export interface TestSamlProvider {
  readonly entityId: string;
  readonly entryPoint: string;
  /** PEM. */
  readonly certificate: string;
  readonly metadata: string;
  readonly accounts: Map<string, SamlAccount>;
  /** Changes each answer before it is signed; null to leave them. */
  tamper: ((response: TamperedResponse) => void) | null;
  /** The form that the browser posts after an account signed in at an address of the provider. */
  answer(loginUrl: string, nameId: string): SamlForm;
  close(): Promise<void>;
}

interface Key {
  readonly privateKey: string;
  readonly certificate: string;
}

/** A new RSA key with a self-signed certificate. Needs `openssl`. */
async function newKey(): Promise<Key> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-saml-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=provider'],
      ...['-keyout', keyFile, '-out', certFile],
    ]);
    const [privateKey, certificate] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
    return { privateKey, certificate };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const attribute = (name: string, value: string | Date | null) =>
  value === null ? '' : ` ${name}="${escapeXml(value instanceof Date ? value.toISOString() : value)}"`;

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const MINUTE_MS = 60_000;

/** The text of an answer: what SAML 2.0 Profiles, 4.1.4.2 says that one has. */
function write(response: TamperedResponse): string {
  const now = new Date();
  const { nameId, nameIdFormat, attributes, audience } = response;
  const values = (each: readonly string[]) =>
    each.map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`).join('');
  const written = Object.entries(attributes).map(
    ([name, each]) => `<saml:Attribute Name="${escapeXml(name)}">${values(each)}</saml:Attribute>`,
  );
  return response.rewrite(
    [
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0"`,
      `${attribute('IssueInstant', now)}${attribute('Destination', response.destination)}${attribute('InResponseTo', response.answeredRequest)}>`,
      `<saml:Issuer>${escapeXml(response.issuer)}</saml:Issuer>`,
      `<samlp:Status><samlp:StatusCode Value="${response.status}"/></samlp:Status>`,
      `<saml:Assertion ID="${response.assertionId}" Version="2.0"${attribute('IssueInstant', now)}>`,
      `<saml:Issuer>${escapeXml(response.issuer)}</saml:Issuer>`,
      `<saml:Subject><saml:NameID Format="${nameIdFormat}">${escapeXml(nameId)}</saml:NameID>`,
      '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
      `<saml:SubjectConfirmationData${attribute('Recipient', response.recipient)}${attribute('InResponseTo', response.inResponseTo)}${attribute('NotOnOrAfter', response.confirmedUntil)}/>`,
      '</saml:SubjectConfirmation></saml:Subject>',
      `<saml:Conditions${attribute('NotBefore', response.notBefore)}${attribute('NotOnOrAfter', response.notOnOrAfter)}>`,
      audience === null
        ? ''
        : `<saml:AudienceRestriction><saml:Audience>${escapeXml(audience)}</saml:Audience></saml:AudienceRestriction>`,
      '</saml:Conditions>',
      `<saml:AuthnStatement${attribute('AuthnInstant', now)} SessionIndex="_session"><saml:AuthnContext>`,
      '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>',
      '</saml:AuthnContext></saml:AuthnStatement>',
      `<saml:AttributeStatement>${written.join('')}</saml:AttributeStatement>`,
      '</saml:Assertion></samlp:Response>',
    ].join(''),
  );
}

function sign(xml: string, part: 'Assertion' | 'Response', { privateKey, certificate }: Key, response: TamperedResponse): string {
  const path = part === 'Response' ? "/*[local-name(.)='Response']" : "/*[local-name(.)='Response']/*[local-name(.)='Assertion']";
  const signer = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: response.signatureAlgorithm,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE];
  signer.addReference({ xpath: path, transforms, digestAlgorithm: response.digestAlgorithm });
  signer.computeSignature(xml, { prefix: 'ds', location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' } });
  return signer.getSignedXml();
}

/** Opens the provider for a service with this entity id. */
export async function openTestSamlProvider(audience: string, port = 0): Promise<TestSamlProvider> {
  const [own, stranger] = await Promise.all([newKey(), newKey()]);
  const accounts = new Map<string, SamlAccount>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://provider');
    const nameId = url.searchParams.get('account');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(nameId === null ? choicePage(url) : formPage(provider.answer(url.href, nameId)));
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const bound = server.address();
  const origin = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : port}`;
  const entityId = `${origin}/metadata`;
  const entryPoint = `${origin}/sign-in`;

  /** A page with a button for each account; choosing one signs in. */
  function choicePage(url: URL): string {
    const hidden = [...url.searchParams].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escapeXml(value)}">`,
    );
    const buttons = [...accounts].map(
      ([nameId, { name }]) => `<button name="account" value="${escapeXml(nameId)}">${escapeXml(name)}</button>`,
    );
    return `<!doctype html><title>Test provider</title><h1>Choose an account</h1><form action="/sign-in">${hidden.join('')}${buttons.join('')}</form>`;
  }

  function formPage({ action, fields }: SamlForm): string {
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escapeXml(value)}">`,
    );
    return `<!doctype html><body onload="document.forms[0].submit()"><form method="post" action="${escapeXml(action)}">${inputs.join('')}</form>`;
  }

  const base64 = own.certificate.replace(/-----[^-]+-----|\s/g, '');
  const provider: TestSamlProvider = {
    entityId,
    entryPoint,
    certificate: own.certificate,
    metadata: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">`,
      '<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
      '<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">',
      `<ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${origin}/post"/>`,
      `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${entryPoint}"/>`,
      '</md:IDPSSODescriptor></md:EntityDescriptor>',
    ].join('\n'),
    accounts,
    tamper: null,
    answer(loginUrl, nameId) {
      const { searchParams } = new URL(loginUrl);
      const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
      const textOf = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(request)?.[1] ?? '';
      const [now, requestId, action] = [Date.now(), textOf('ID'), textOf('AssertionConsumerServiceURL')];
      const until = new Date(now + 5 * MINUTE_MS);
      const response: TamperedResponse = {
        status: SUCCESS,
        destination: action,
        answeredRequest: requestId,
        assertionId: `_${randomUUID()}`,
        issuer: entityId,
        nameId,
        nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        recipient: action,
        inResponseTo: requestId,
        confirmedUntil: until,
        audience,
        notBefore: new Date(now),
        notOnOrAfter: until,
        attributes: { ...accounts.get(nameId)?.attributes },
        signedBy: 'provider',
        signed: ['Assertion'],
        signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
        rewrite: (xml) => xml,
        alter: (xml) => xml,
      };
      provider.tamper?.(response);
      const key = response.signedBy === 'provider' ? own : stranger;
      const signed = response.signed.reduce((xml, part) => sign(xml, part, key, response), write(response));
      const SAMLResponse = Buffer.from(response.alter(signed)).toString('base64');
      return { action, fields: { SAMLResponse, RelayState: searchParams.get('RelayState') ?? '' } };
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
  return provider;
}

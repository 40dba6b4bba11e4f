import { NIL_ID } from '@switchyard/db';
import { type ProviderFields, removeProvider, saveProvider } from '@switchyard/staff/single-sign-on';
import { openTestSamlProvider, type SamlForm, type TamperedResponse, type TestSamlProvider } from '@switchyard/staff/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { watchClientAddresses } from '../client-address.ts';
import type { Switchyard } from '../process.ts';
import { Browser, createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard } from '../testing/switchyard.ts';

const OWNER = [{ merchantId: null, role: 'owner' as const }];
const ENTITY_ID = `${ORIGIN}/api/auth/sso/saml2/sp/metadata`;
const ANSWER_URL = `${ORIGIN}/api/auth/sso/saml2/sp/acs`;
const actor = 'staff:ada';
let switchyard: Switchyard;
let close: () => Promise<void>;
let idp: TestSamlProvider;
let providerId: string;
let merchantId: string;
let people = 0;

const fields = (): ProviderFields & { readonly type: 'saml' } => ({
  type: 'saml',
  name: 'Test provider',
  metadata: idp.metadata,
  entityId: '',
  entryPoint: '',
  certificates: '',
  domains: ['example.com'],
  groupClaim: 'groups',
  required: false,
  secondFactorRequired: false,
});

beforeAll(async () => {
  watchClientAddresses({});
  vi.stubEnv('SWITCHYARD_PRIVATE_ADDRESSES', 'allow');
  ({ switchyard, close } = await openTestSwitchyard());
  idp = await openTestSamlProvider(ENTITY_ID);
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const saved = await save(fields());
  if (saved.kind !== 'saved') throw new Error(JSON.stringify(saved));
  ({ providerId } = saved);
});
afterAll(async () => {
  await close();
  await idp.close();
  vi.unstubAllEnvs();
});
beforeEach(() => {
  idp.tamper = null;
});

const save = (given: ProviderFields, id: string | null = null) =>
  saveProvider(switchyard, {
    ...given,
    providerId: id,
    groupRoles: [{ group: 'Finance', merchantId, role: 'finance' }],
    grants: OWNER,
    actor,
  });

/** An account at the provider, in the group Finance. */
function account(attributes: Readonly<Record<string, readonly string[]>> = {}): {
  readonly nameId: string;
  readonly email: string;
} {
  people += 1;
  const email = `finance-${people}@example.com`;
  const usual = { email: [email], displayName: ['Bola Ade'], groups: ['Everyone', 'Finance'] };
  idp.accounts.set(`name-${people}`, { name: 'Bola Ade', attributes: { ...usual, ...attributes } });
  return { nameId: `name-${people}`, email };
}

async function begin(browser: Browser, next = '/overview'): Promise<string> {
  const response = await browser.post('/sign-in/sso', { providerId, next });
  const { url } = await response.json();
  if (typeof url !== 'string') throw new Error(`sign-in did not begin: ${response.status}`);
  return url;
}

/** Where the dashboard leads after the provider's page had the browser post a form. */
async function post(browser: Browser, { action, fields: entries }: SamlForm): Promise<string> {
  const response = await browser.submit(action, { ...entries });
  expect([302, 303]).toContain(response.status);
  return (response.headers.get('location') ?? '').replace(ORIGIN, '');
}

const signIn = async (nameId: string, browser = new Browser(switchyard)) =>
  post(browser, idp.answer(await begin(browser), nameId));

const refusedWith = (code: string) => `/sign-in?error=${code}`;
const sessionIn = (browser: Browser) => switchyard.signIn().readSession(browser.headers());
const personOf = (email: string) =>
  switchyard.resources.database.prisma.staffUser.findUnique({ where: { email }, include: { accounts: true, grants: true } });
const entriesOf = async (objectId: string) =>
  (
    await switchyard.resources.database.prisma.auditEntry.findMany({
      where: { objectId },
      orderBy: [{ createdAt: 'asc' }, { position: 'asc' }],
    })
  ).map(({ action, actor: by, after, tenantId }) => ({ action, by, after, tenantId }));

describe('a sign-in by SAML', () => {
  test('creates the person with the roles of their groups, each step in the audit log', async () => {
    const { nameId, email } = account();
    const browser = new Browser(switchyard);
    expect(await signIn(nameId, browser)).toBe('/overview');
    expect(await sessionIn(browser)).toMatchObject({
      email,
      name: 'Bola Ade',
      mustSetUpTwoFactor: false,
      grants: [{ merchantId, role: 'finance' }],
    });
    const person = await personOf(email);
    expect(person?.accounts).toMatchObject([{ providerId, accountId: nameId, password: null }]);
    const by = `system:provider:${providerId}`;
    expect(await entriesOf(person?.id ?? '')).toEqual(
      expect.arrayContaining([
        { action: 'staff.created', by, tenantId: NIL_ID, after: expect.objectContaining({ email, subject: nameId }) },
        { action: 'staff.role_granted', by, tenantId: merchantId, after: { merchantId, role: 'finance', group: 'Finance' } },
        expect.objectContaining({ action: 'staff.signed_in', by: `staff:${person?.id}` }),
      ]),
    );
  });

  test('finds the person again, and makes roles by groups equal to the groups', async () => {
    const { nameId, email } = account({ groups: ['R&D <all>', 'Finance'] });
    await signIn(nameId);
    idp.accounts.set(nameId, { name: 'Bola', attributes: { email: [email], groups: ['R&D <all>'] } });
    const browser = new Browser(switchyard);
    expect(await signIn(nameId, browser)).toBe('/overview');
    expect((await sessionIn(browser))?.grants).toEqual([]);
  });

  test('links a colleague of the address, and none of another domain', async () => {
    const email = await createStaffWithGrants(switchyard, `linked-${++people}@example.com`, [{ merchantId, role: 'viewer' }]);
    const { nameId } = account({ email: [email] });
    expect(await signIn(nameId)).toBe('/overview');
    expect((await personOf(email))?.accounts).toHaveLength(2);
    const owner = await createStaffWithGrants(switchyard, `owner-${people}@elsewhere.example`, OWNER);
    expect(await signIn(account({ email: [owner] }).nameId)).toBe(refusedWith('foreign_domain'));
    expect(await signIn(account({ email: [`x@sub.example.com`] }).nameId)).toBe(refusedWith('foreign_domain'));
  });

  test('reads the address of Entra ID’s claim, and else the name id', async () => {
    const claim = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress';
    const email = `entra-${++people}@example.com`;
    idp.accounts.set('entra', { name: 'Chi', attributes: { [claim]: [email], groups: ['Finance'] } });
    expect(await signIn('entra')).toBe('/overview');
    expect(await personOf(email)).not.toBeNull();
    const named = `named-${people}@example.com`;
    idp.accounts.set(named, { name: 'Chi', attributes: { groups: ['Finance'] } });
    expect(await signIn(named)).toBe('/overview');
    idp.accounts.set('no-address', { name: 'Chi', attributes: { groups: ['Finance'] } });
    expect(await signIn('no-address')).toBe(refusedWith('email_missing'));
  });

  test('is accepted with the envelope signed too, by any algorithm of today', async () => {
    const { nameId } = account();
    idp.tamper = (response) => {
      response.signed = ['Assertion', 'Response'];
      response.signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512';
      response.digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha512';
    };
    expect(await signIn(nameId)).toBe('/overview');
  });

  test('is accepted within a minute of difference between the clocks', async () => {
    const { nameId } = account();
    idp.tamper = (response) => {
      response.notBefore = new Date(Date.now() + 30_000);
      response.notOnOrAfter = new Date(Date.now() - 30_000);
    };
    expect(await signIn(nameId)).toBe('/overview');
  });
});

const later = (ms: number) => new Date(Date.now() + ms);
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#';
const SIGNATURE = /<ds:Signature[\s\S]*?<\/ds:Signature>/;
const ASSERTION = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
/** The signed assertion with another name, as an attacker writes one. */
const forged = (xml: string) =>
  (ASSERTION.exec(xml)?.[0] ?? '')
    .replace(SIGNATURE, '')
    .replace(/ID="_/, 'ID="_evil')
    .replace(/>name-\d+</, '>victim<');

/** The signature of the assertion, as of the envelope. */
const ofEnvelope = (xml: string) =>
  (SIGNATURE.exec(xml)?.[0] ?? '').replace(/URI="#[^"]*"/, `URI="#${/<samlp:Response[^>]* ID="([^"]*)"/.exec(xml)?.[1]}"`);
const OTHER_AUDIENCE =
  '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>';
const NAMELESS = '<saml:Attribute><saml:AttributeValue>Owners</saml:AttributeValue></saml:Attribute>';

/** Attacks on an answer: what is changed, and what the sign-in page is given. */
const ATTACKS: readonly (readonly [string, string, (response: TamperedResponse) => void])[] = [
  ['unsigned', 'saml_unsigned', (response) => Object.assign(response, { signed: [] })],
  ['with the envelope signed alone', 'saml_unsigned', (response) => Object.assign(response, { signed: ['Response'] })],
  ['signed with another key', 'saml_error', (response) => Object.assign(response, { signedBy: 'stranger' })],
  [
    'changed after it was signed',
    'saml_error',
    (response) => Object.assign(response, { alter: (xml: string) => xml.replace('>Finance<', '>Owners<') }),
  ],
  [
    'whose signature covers another assertion, beside a forged one',
    'saml_unreadable',
    (response) =>
      Object.assign(response, { alter: (xml: string) => xml.replace('<saml:Assertion', `${forged(xml)}<saml:Assertion`) }),
  ],
  [
    'whose signature is in a forged assertion, with the signed one inside it',
    'saml_unreadable',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => {
          const [signature = ''] = SIGNATURE.exec(xml) ?? [];
          const [assertion = ''] = ASSERTION.exec(xml) ?? [];
          const inside = signature.replace(
            '</ds:Signature>',
            `<ds:Object>${assertion.replace(SIGNATURE, '')}</ds:Object></ds:Signature>`,
          );
          return xml.replace(ASSERTION, forged(xml).replace('</saml:Issuer>', `</saml:Issuer>${inside}`));
        },
      }),
  ],
  [
    'with a second signature in the assertion',
    'saml_unsigned',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => xml.replace('</saml:Subject>', `${SIGNATURE.exec(xml)?.[0]}</saml:Subject>`),
      }),
  ],
  [
    'whose signature refers to the envelope',
    'saml_unsigned',
    (response) => Object.assign(response, { alter: (xml: string) => xml.replace(/URI="#_[^"]*"/, 'URI=""') }),
  ],
  ['signed with SHA-1', 'saml_algorithm', (response) => Object.assign(response, { signatureAlgorithm: `${SHA1}rsa-sha1` })],
  ['with digests of SHA-1', 'saml_algorithm', (response) => Object.assign(response, { digestAlgorithm: `${SHA1}sha1` })],
  [
    'signed with a shared secret',
    'saml_algorithm',
    (response) => Object.assign(response, { alter: (xml: string) => xml.replace(/[^"]*#rsa-sha256/, `${SHA1}hmac-sha1`) }),
  ],
  ['for another audience', 'saml_not_for_us', (response) => Object.assign(response, { audience: 'https://other.example' })],
  ['without an audience', 'saml_not_for_us', (response) => Object.assign(response, { audience: null })],
  ['for another recipient', 'saml_not_for_us', (response) => Object.assign(response, { recipient: `${ANSWER_URL}/x` })],
  ['without a recipient', 'saml_not_for_us', (response) => Object.assign(response, { recipient: null })],
  ['for another destination', 'saml_not_for_us', (response) => Object.assign(response, { destination: 'https://other.example' })],
  ['of another issuer', 'saml_error', (response) => Object.assign(response, { issuer: 'https://other.example' })],
  ['past its end', 'wrong_time', (response) => Object.assign(response, { notOnOrAfter: later(-61_000) })],
  ['without an end', 'wrong_time', (response) => Object.assign(response, { notOnOrAfter: null })],
  [
    'whose bearer is confirmed no longer',
    'wrong_time',
    (response) => Object.assign(response, { confirmedUntil: later(-61_000) }),
  ],
  ['whose bearer is confirmed for ever', 'wrong_time', (response) => Object.assign(response, { confirmedUntil: null })],
  ['not valid yet', 'wrong_time', (response) => Object.assign(response, { notBefore: later(61_000) })],
  ['to another request, in the envelope', 'wrong_token', (response) => Object.assign(response, { answeredRequest: '_another' })],
  ['to another request, in the assertion', 'wrong_token', (response) => Object.assign(response, { inResponseTo: '_another' })],
  ['to no request', 'wrong_token', (response) => Object.assign(response, { answeredRequest: null, inResponseTo: null })],
  ['to no request in the assertion', 'wrong_token', (response) => Object.assign(response, { inResponseTo: null })],
  [
    'with a comment in the name, signed so',
    'saml_unreadable',
    (response) => Object.assign(response, { rewrite: (xml: string) => xml.replace(/>(name-\d+)</, '>victim<!---->$1<') }),
  ],
  [
    'with a comment put into the name',
    'saml_unreadable',
    (response) => Object.assign(response, { alter: (xml: string) => xml.replace(/>(name)(-\d+)</, '>$1<!---->$2<') }),
  ],
  [
    'with an entity',
    'saml_unreadable',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml.replace(/>name-\d+</, '>&x;<')}`,
      }),
  ],
  [
    'with a section of text',
    'saml_unreadable',
    (response) => Object.assign(response, { rewrite: (xml: string) => xml.replace(/>(name-\d+)</, '><![CDATA[$1]]><') }),
  ],
  [
    'with an instruction',
    'saml_unreadable',
    (response) => Object.assign(response, { alter: (xml: string) => xml.replace(/>(name)(-\d+)</, '>$1<?x?>$2<') }),
  ],
  ['that is no XML', 'saml_unreadable', (response) => Object.assign(response, { alter: () => '<samlp:Response' })],
  [
    'that is too large',
    'saml_unreadable',
    (response) => Object.assign(response, { attributes: { groups: ['x'.repeat(200_000)] } }),
  ],
  [
    'that is too deep',
    'saml_unreadable',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => xml.replace('<saml:Issuer>', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}<saml:Issuer>`),
      }),
  ],
  [
    'in a message of another kind',
    'saml_unreadable',
    (response) => Object.assign(response, { alter: (xml: string) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse') }),
  ],
  [
    'in a message of another standard',
    'saml_unreadable',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) =>
          xml.replace('<samlp:Response', '<x:Response xmlns:x="urn:x"').replace('</samlp:Response', '</x:Response'),
      }),
  ],
  [
    'with an encrypted assertion beside',
    'saml_unreadable',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => xml.replace('<saml:Assertion', '<saml:EncryptedAssertion/><saml:Assertion'),
      }),
  ],
  [
    'with two signatures of the envelope',
    'saml_unsigned',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => xml.replace('<samlp:Status>', `${ofEnvelope(xml)}${ofEnvelope(xml)}<samlp:Status>`),
      }),
  ],
  [
    'with an object in its signature',
    'saml_unsigned',
    (response) =>
      Object.assign(response, { alter: (xml: string) => xml.replace('</ds:Signature>', '<ds:Object/></ds:Signature>') }),
  ],
  [
    'with a manifest in its signature',
    'saml_unsigned',
    (response) =>
      Object.assign(response, { alter: (xml: string) => xml.replace('</ds:Signature>', '<ds:Manifest/></ds:Signature>') }),
  ],
  [
    'without an id',
    'saml_unsigned',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => xml.replace(/(<saml:Assertion) ID="[^"]*"/, '$1 ID=""').replace(/URI="#[^"]*"/, 'URI="#"'),
      }),
  ],
  [
    'canonicalized with its comments',
    'saml_algorithm',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => xml.replace(/(CanonicalizationMethod Algorithm="[^"]*)/, '$1WithComments'),
      }),
  ],
  [
    'transformed by a style sheet',
    'saml_algorithm',
    (response) =>
      Object.assign(response, {
        alter: (xml: string) => xml.replace(/(Transform Algorithm=)"[^"]*"/, '$1"http://www.w3.org/TR/1999/REC-xslt-19991116"'),
      }),
  ],
  [
    'for two audiences at once',
    'saml_not_for_us',
    (response) =>
      Object.assign(response, {
        rewrite: (xml: string) => xml.replace('</saml:Conditions>', `${OTHER_AUDIENCE}</saml:Conditions>`),
      }),
  ],
  [
    'without conditions',
    'saml_unreadable',
    (response) =>
      Object.assign(response, { rewrite: (xml: string) => xml.replace(/<saml:Conditions[\s\S]*<\/saml:Conditions>/, '') }),
  ],
  [
    'whose end is of another time zone',
    'wrong_time',
    (response) =>
      Object.assign(response, {
        rewrite: (xml: string) => xml.replace(/(<saml:Conditions[^>]* NotOnOrAfter="[^"]*)Z"/, '$1+00:00"'),
      }),
  ],
  [
    'that is confirmed by another way than its bearer',
    'saml_unreadable',
    (response) => Object.assign(response, { rewrite: (xml: string) => xml.replace('cm:bearer', 'cm:sender-vouches') }),
  ],
  [
    'that is confirmed twice',
    'saml_unreadable',
    (response) =>
      Object.assign(response, {
        rewrite: (xml: string) => xml.replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '$&$&'),
      }),
  ],
  [
    'with an attribute without a name',
    'saml_unreadable',
    (response) =>
      Object.assign(response, { rewrite: (xml: string) => xml.replace('<saml:AttributeStatement>', `$&${NAMELESS}`) }),
  ],
  ['without a name', 'saml_name_id', (response) => Object.assign(response, { nameId: '' })],
  ['with a name of any length', 'saml_name_id', (response) => Object.assign(response, { nameId: 'x'.repeat(257) })],
  [
    'that is not well-formed',
    'saml_unreadable',
    (response) => Object.assign(response, { alter: (xml: string) => xml.replace('<samlp:Response', '<samlp:Response a=b') }),
  ],
  [
    'with many elements',
    'saml_unreadable',
    (response) =>
      Object.assign(response, { alter: (xml: string) => xml.replace('<saml:Issuer>', `${'<a/>'.repeat(10_001)}<saml:Issuer>`) }),
  ],
  [
    'with an element in the name',
    'saml_name_id',
    (response) => Object.assign(response, { rewrite: (xml: string) => xml.replace(/(>name-\d+)</, '$1<a/><') }),
  ],
  [
    'with a name of one session',
    'saml_name_id',
    (response) => Object.assign(response, { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
  ],
  [
    'that says the person was not signed in',
    'access_denied',
    (response) => Object.assign(response, { status: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed' }),
  ],
];

describe('an answer of a provider of SAML', () => {
  test.each(ATTACKS)('%s is refused, and recorded with its reason alone', async (_, code, tamper) => {
    const { nameId, email } = account();
    idp.tamper = tamper;
    const browser = new Browser(switchyard);
    const before = (await entriesOf(providerId)).length;
    expect(await signIn(nameId, browser)).toBe(refusedWith(code));
    expect([await sessionIn(browser), await personOf(email), await personOf('victim@example.com')]).toEqual([null, null, null]);
    expect((await entriesOf(providerId)).slice(before)).toEqual([
      {
        action: 'sso_provider.sign_in_refused',
        by: `system:provider:${providerId}`,
        tenantId: NIL_ID,
        after: { reason: code, address: null },
      },
    ]);
  });

  test('works once: the same answer is refused in this browser, and in another', async () => {
    const { nameId } = account();
    const browser = new Browser(switchyard);
    const form = idp.answer(await begin(browser), nameId);
    const copy = browser.copy();
    expect(await post(browser, form)).toBe('/overview');
    expect(await post(browser, form)).toBe(refusedWith('state_mismatch'));
    // The cookie of the request is there still: the request itself was answered.
    expect(await post(copy, form)).toBe(refusedWith('invalid_saml_response'));
    expect(await sessionIn(copy)).toBeNull();
  });

  test('is refused when its assertion was used before, though it answers a new request', async () => {
    const { nameId } = account();
    idp.tamper = (response) => Object.assign(response, { assertionId: '_used-once' });
    expect(await signIn(nameId)).toBe('/overview');
    expect(await signIn(nameId)).toBe(refusedWith('replay_detected'));
  });

  test('is refused in a browser that did not begin this sign-in', async () => {
    const { nameId } = account();
    const form = idp.answer(await begin(new Browser(switchyard)), nameId);
    const victim = new Browser(switchyard);
    expect(await post(victim, form)).toBe(refusedWith('state_mismatch'));
    await begin(victim);
    expect(await post(victim, form)).toBe(refusedWith('wrong_token'));
    expect(await sessionIn(victim)).toBeNull();
  });

  test('of text that is no base64, or no UTF-8, is refused', async () => {
    const browser = new Browser(switchyard);
    const noUtf8 = (text: string) => {
      const bytes = Buffer.from(text, 'base64');
      bytes[bytes.indexOf('name-')] = 0xff;
      return bytes.toString('base64');
    };
    for (const change of [(text: string) => `*${text}`, noUtf8]) {
      const { action, fields: sent } = idp.answer(await begin(browser), account().nameId);
      const SAMLResponse = change(sent.SAMLResponse);
      expect(await post(browser, { action, fields: { ...sent, SAMLResponse } })).toBe(refusedWith('saml_unreadable'));
    }
  });

  test('more than ten minutes after its request is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const { nameId } = account();
    for (const [minutes, arrives] of [
      [9, '/overview'],
      [11, refusedWith('invalid_saml_response')],
    ] as const) {
      const browser = new Browser(switchyard);
      const url = await begin(browser);
      vi.setSystemTime(Date.now() + minutes * 60_000);
      expect(await post(browser, idp.answer(url, nameId))).toBe(arrives);
    }
  });

  test('of a provider that was removed meanwhile is refused', async () => {
    const removed = await save({ ...fields(), name: 'Removed', domains: ['removed.example'] });
    if (removed.kind !== 'saved') throw new Error(removed.kind);
    const browser = new Browser(switchyard);
    const response = await browser.post('/sign-in/sso', { providerId: removed.providerId, next: '/' });
    const { url } = z.object({ url: z.string() }).parse(await response.json());
    await removeProvider(switchyard, { providerId: removed.providerId, actor });
    expect(await post(browser, idp.answer(url, account().nameId))).toBe(refusedWith('state_mismatch'));
  });

  test('signs in no one whom it names without a group, nor a disabled person, nor a second name of an address', async () => {
    const signed = account();
    expect(await signIn(signed.nameId)).toBe('/overview');
    expect(await signIn(account({ groups: ['Kitchen'] }).nameId)).toBe(refusedWith('no_group'));
    idp.accounts.set('without-groups', { name: 'Chi', attributes: { email: [`groupless-${people}@example.com`] } });
    expect(await signIn('without-groups')).toBe(refusedWith('groups_missing'));
    expect(await signIn(account({ email: [signed.email] }).nameId)).toBe(refusedWith('linked_elsewhere'));
    const { prisma } = switchyard.resources.database;
    await prisma.staffUser.update({ where: { email: signed.email }, data: { disabledAt: new Date() } });
    expect(await signIn(signed.nameId)).toBe(refusedWith('account_disabled'));
  });

  test('without our state, or with that of another sign-in, is refused', async () => {
    const { nameId } = account();
    const browser = new Browser(switchyard);
    const form = idp.answer(await begin(browser), nameId);
    expect(await post(browser, { ...form, fields: { ...form.fields, RelayState: 'x'.repeat(32) } })).toBe(
      refusedWith('invalid_state'),
    );
    expect(await sessionIn(browser)).toBeNull();
  });

  test('is read from a form alone, of bounded size', async () => {
    const browser = new Browser(switchyard);
    expect((await browser.post('/sso/saml2/sp/acs', { SAMLResponse: 'x', RelayState: 'x' })).status).toBe(415);
    expect((await browser.submit(ANSWER_URL, { SAMLResponse: 'x'.repeat(400_000), RelayState: 'x' })).status).toBe(413);
    expect((await browser.submit(`${ANSWER_URL}/${providerId}`, { SAMLResponse: 'x', RelayState: 'x' })).status).toBe(404);
  });

  test('is limited per network, with the passwords tried from it', async () => {
    const browser = new Browser(switchyard);
    const statuses: number[] = [];
    for (let count = 0; count <= 100; count += 1) {
      browser.address = `2001:db8:8:8::${count + 1}`;
      statuses.push((await browser.submit(ANSWER_URL, { SAMLResponse: 'x', RelayState: 'x' })).status);
    }
    expect(statuses.filter((status) => status === 303)).toHaveLength(100);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the cookie of a request', () => {
  test('is sent with a form of another site by HTTPS alone, and to this host alone', async () => {
    const { switchyard: secure, close: closeSecure } = await openTestSwitchyard('https://pay.example');
    try {
      const browser = new Browser(secure, 'https://pay.example');
      const outcome = await saveProvider(secure, { ...fields(), providerId: null, groupRoles: [], grants: OWNER, actor });
      const id = outcome.kind === 'saved' ? outcome.providerId : '';
      const response = await browser.post('/sign-in/sso', { providerId: id, next: '/' });
      const cookie = response.headers.getSetCookie().find((line) => line.startsWith('__Host-switchyard.saml='));
      expect(cookie).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=None; Secure$/);
    } finally {
      await closeSecure();
    }
  });
});

/** The certificate of an RSA key of 1,024 bits. */
const SHORT_KEY = [
  'MIIB/jCCAWegAwIBAgIUU1KO3a1aWGujG/0g2+r74Qi9z6kwDQYJKoZIhvcNAQELBQAwEDEOMAwGA1UEAwwFc2hvcnQwIBcNMjYxMTMwMjAzMDAyWhgPMjEy',
  'NjExMDYyMDMwMDJaMBAxDjAMBgNVBAMMBXNob3J0MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCb/3QjsHFn0dpbVEp6wRDhhKNCGFl4bWkvjysolflp',
  'V4FP4mqV4HOilBIc/jl0m+s2cxG8kbgt0Wx0sCgYBo7U/x+gXNh+VaCTqKPcb+HJli5q8OIMYFnKS7hwP1N44xXhjjgh2dXK1puU0yliV2bKKKaFml5HJJVx',
  'I+2/WnlmIQIDAQABo1MwUTAdBgNVHQ4EFgQUdIIvwm6AAV7Vo21SC6sgiHhgV5kwHwYDVR0jBBgwFoAUdIIvwm6AAV7Vo21SC6sgiHhgV5kwDwYDVR0TAQH/',
  'BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOBgQBcJxc2uB1TWlQJwuSmV+58hbm0zBMzsE311+Wny024pRWqYi7bcxdp8W+wVgyaQeqYFL+9cmR9+ZaZPlLmHXYQ',
  'AwvjoA9H9PLE+NNXDgTeoeQpFMPnsLre1KxkaZVpjjTnaLPrqpXtqCxEhbFawLJbfzsousSo8SXmelZuRpSowg==',
].join('');
/** The certificate of a key on P-256. */
const CURVE = [
  'MIIBdzCCAR2gAwIBAgIUZgfVXIbGWJH9bNQRZZT28cK54O8wCgYIKoZIzj0EAwIwEDEOMAwGA1UEAwwFY3VydmUwIBcNMjYxMTMwMjAzMDAyWhgPMjEyNjEx',
  'MDYyMDMwMDJaMBAxDjAMBgNVBAMMBWN1cnZlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELIy+Y4ZpK07zllU4NUkEJxCH2wwnSz8WFUyM7RGNMCvvIaZQ',
  'PDZztKy7K9TVtgj8ibqjM5UjSDRNfMzNwZxtZaNTMFEwHQYDVR0OBBYEFIkpAhFoqSQlrCPNgyiV42FSM73uMB8GA1UdIwQYMBaAFIkpAhFoqSQlrCPNgyiV',
  '42FSM73uMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgNDhVYvUR3Rf2TedM+YrlcqfQPKtUcMjdfrAVFowhiCACIQCroDI7wogYDM8c7jnV',
  'E3TlFa8wBaKFmyr51N0etIxF+g==',
].join('');

describe('a provider of SAML', () => {
  test('is stored as its metadata says, and shown with its certificates, each change with their fingerprints', async () => {
    const { prisma } = switchyard.resources.database;
    const row = await prisma.ssoProvider.findUniqueOrThrow({ where: { id: providerId } });
    expect(row).toMatchObject({ issuer: idp.entityId, oidcConfig: null, clientSecret: null });
    const created = (await entriesOf(providerId)).find(({ action }) => action === 'sso_provider.created');
    expect(created?.after).toMatchObject({
      type: 'saml',
      entityId: idp.entityId,
      entryPoint: idp.entryPoint,
      certificates: [expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)],
    });
    const entered = {
      ...fields(),
      metadata: '',
      entityId: idp.entityId,
      entryPoint: idp.entryPoint,
      certificates: idp.certificate,
    };
    expect(await save(entered, providerId)).toEqual({ kind: 'saved', providerId });
    expect(await signIn(account().nameId)).toBe('/overview');
  });

  test.each<[string, string, Partial<ProviderFields & { readonly type: 'saml' }>]>([
    ['metadata that is no XML', 'metadata', { metadata: 'https://id.example/metadata' }],
    ['metadata with an entity', 'metadata', { metadata: '<!DOCTYPE x [<!ENTITY y "z">]><x/>' }],
    [
      'metadata of a service',
      'metadata',
      { metadata: '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>' },
    ],
    [
      'metadata without an entity id',
      'metadata',
      { metadata: '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>' },
    ],
    [
      'metadata of two providers',
      'metadata',
      {
        metadata:
          '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"><EntityDescriptor entityID="x"/><EntityDescriptor entityID="y"/></EntitiesDescriptor>',
      },
    ],
    ['no entity id', 'entityId', { metadata: '', entryPoint: 'https://id.example', certificates: 'x' }],
    ['a sign-in address that runs a script', 'entryPoint', { metadata: '', entityId: 'x', entryPoint: 'javascript:alert(1)' }],
    ['no certificate', 'certificates', { metadata: '', entityId: 'x', entryPoint: 'https://id.example', certificates: 'x' }],
  ])('with %s is refused', async (_, field, over) => {
    expect(await save({ ...fields(), name: 'Other', ...over })).toMatchObject({ kind: 'invalid', problems: [{ field }] });
  });

  test('has metadata of bounded size, and a key that signs', async () => {
    const read = (metadata: string) => save({ ...fields(), name: 'Other', metadata });
    const refused = (message: string) => ({ kind: 'invalid', problems: [{ field: 'metadata', message }] });
    const padded = `${idp.metadata}${' '.repeat(200_000)}x`;
    expect(await read(padded)).toEqual(refused('must be the metadata of a provider, an XML document'));
    expect(await read(idp.metadata.replace('use="signing"', 'use="encryption"'))).toEqual(
      refused('must have a certificate for signing'),
    );
  });

  test('has at most five certificates, each of an RSA key of 2,048 bits or more, and none that has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const entered = (certificates: string) =>
      save({ ...fields(), name: 'Other', metadata: '', entityId: 'x', entryPoint: 'https://id.example', certificates });
    const refused = (message: string) => ({ kind: 'invalid', problems: [{ field: 'certificates', message }] });
    const six = Array.from({ length: 6 }, (_, index) => `-----BEGIN CERTIFICATE-----\n${index}\n-----END CERTIFICATE-----`);
    expect(await entered(six.join('\n'))).toEqual(refused('must be at most 5 certificates'));
    for (const weak of [SHORT_KEY, CURVE])
      expect(await entered(weak)).toEqual(refused('must hold RSA keys of 2048 bits or more'));
    vi.setSystemTime(Date.now() + 31 * 86_400_000);
    expect(await entered(idp.certificate)).toEqual(refused('must not have expired'));
  });

  test('stays one of SAML', async () => {
    const oidc = { ...fields(), type: 'oidc' as const, issuer: 'https://id.example', clientId: 'x', clientSecret: 'x' };
    expect((await save(oidc, providerId)).kind).toBe('invalid');
  });

  test('finds our metadata at the entity id', async () => {
    const response = await new Browser(switchyard).follow(ENTITY_ID);
    expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml');
    const text = await response.text();
    for (const part of [`entityID="${ENTITY_ID}"`, `Location="${ANSWER_URL}"`, 'WantAssertionsSigned="true"'])
      expect(text).toContain(part);
  });
});

import { EMAIL_ADDRESS } from '@switchyard/runtime/email-address';
import type { GroupFields, ProvisionedGroup, ProvisionedUser, UserFields } from '@switchyard/staff/provisioning';
import { z } from 'zod';
import { type Attributes, type PatchOperation, type ResourceShape, withLowerCaseNames } from './patch.ts';
import { ScimRefusal } from './scim-error.ts';

/*
 * Users and groups as SCIM writes them (RFC 7643, sections 4.1 and 4.2). Names of attributes are read in lower case. What is not kept is
 * not answered: a client that compares sees that.
 */

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

export const USER_SHAPE: ResourceShape = {
  attributes: {
    username: 'single',
    externalid: 'single',
    displayname: 'single',
    active: 'single',
    name: 'complex',
    emails: 'list',
  },
  readOnly: ['id', 'meta', 'groups'],
  ignored: [
    'title',
    'nickname',
    'profileurl',
    'usertype',
    'preferredlanguage',
    'locale',
    'timezone',
    'password',
    'phonenumbers',
    'ims',
    'photos',
    'addresses',
    'entitlements',
    'roles',
    'x509certificates',
  ],
};

export const GROUP_SHAPE: ResourceShape = {
  attributes: { displayname: 'single', externalid: 'single', members: 'list' },
  readOnly: ['id', 'meta'],
  ignored: [],
};

const TEXT_MAX = 200;
const NAME_MAX = 100;
const EMAILS_MAX = 20;
/** Members of one group: no more people can be listed. */
export const MEMBERS_MAX = 2_000;
const OPERATIONS_MAX = 1_000;

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value || null);
const required = (max: number) => z.string().trim().min(1).max(max);
/** Entra ID sends truth values as text: `"False"`. */
const truth = z.union([
  z.boolean(),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((value) => value === 'true'),
]);

const userBody = z.object({
  username: required(TEXT_MAX),
  externalid: text(TEXT_MAX),
  displayname: text(NAME_MAX),
  active: truth.nullish(),
  name: z.object({ givenname: text(NAME_MAX), familyname: text(NAME_MAX), formatted: text(NAME_MAX) }).nullish(),
  emails: z
    .array(z.object({ value: text(254), type: text(TEXT_MAX), primary: truth.nullish() }))
    .max(EMAILS_MAX)
    .nullish(),
});

const groupBody = z.object({
  displayname: required(TEXT_MAX),
  externalid: text(TEXT_MAX),
  members: z
    .array(z.object({ value: z.string().max(TEXT_MAX) }))
    .max(MEMBERS_MAX)
    .nullish(),
});

const emailAddress = z
  .email({ pattern: EMAIL_ADDRESS })
  .max(254)
  .transform((email) => email.toLowerCase());

/** Reads a user that is sent whole, or is the result of a PATCH. Throws {@link ScimRefusal}. */
export function readUser(body: unknown): UserFields {
  const { username, externalid, displayname, active, name, emails } = parse(userBody, withLowerCaseNames(body));
  const addresses = (emails ?? []).filter(({ value }) => value !== null);
  const chosen =
    addresses.find(({ primary }) => primary === true) ?? addresses.find(({ type }) => type === 'work') ?? addresses[0];
  const email = emailAddress.safeParse(chosen?.value ?? username);
  if (!email.success) {
    throw new ScimRefusal(400, 'A user needs an e-mail address: as a value of emails, or as userName.', 'invalidValue');
  }
  const { givenname = null, familyname = null, formatted = null } = name ?? {};
  return {
    userName: username,
    externalId: externalid,
    givenName: givenname,
    familyName: familyname,
    displayName: displayname ?? (givenname === null && familyname === null ? formatted : null),
    email: email.data,
    active: active ?? true,
  };
}

/** Reads a group that is sent whole, or is the result of a PATCH. Throws {@link ScimRefusal}. */
export function readGroup(body: unknown): GroupFields {
  const { displayname, externalid, members } = parse(groupBody, withLowerCaseNames(body));
  const memberIds = [...new Set((members ?? []).map(({ value }) => value.toLowerCase()))];
  return { displayName: displayname, externalId: externalid, memberIds };
}

const patchBody = z.object({
  operations: z
    .array(
      z.object({
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['add', 'remove', 'replace'])),
        path: z.string().max(500).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(OPERATIONS_MAX),
});

/** Reads the operations of a PATCH request. Throws {@link ScimRefusal}. */
export function readOperations(body: unknown): readonly PatchOperation[] {
  const names = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const lower = Object.fromEntries(names.map(([key, value]: [string, unknown]) => [key.toLowerCase(), value]));
  const parsed = patchBody.safeParse(lower);
  if (!parsed.success) throw new ScimRefusal(400, describe(parsed.error), 'invalidSyntax');
  return parsed.data.operations.map(({ path, ...operation }) => ({ ...operation, path: path ?? undefined }));
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ScimRefusal(400, describe(parsed.error), 'invalidValue');
  return parsed.data;
}

function describe({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path === '' ? 'The body' : path}: ${issue?.message ?? 'is not understood'}`;
}

/** The attributes of a user that a PATCH changes. */
export function userAttributes(user: UserFields): Attributes {
  return {
    username: user.userName,
    externalid: user.externalId,
    displayname: user.displayName,
    active: user.active,
    name: { givenname: user.givenName, familyname: user.familyName },
    emails: [{ value: user.email, type: 'work', primary: true }],
  };
}

/** The attributes of a group that a PATCH changes. */
export function groupAttributes({ displayName, externalId, memberIds }: GroupFields): Attributes {
  return { displayname: displayName, externalid: externalId, members: memberIds.map((value) => ({ value })) };
}

/** A resource as it is answered. */
export type ScimResource = Readonly<Record<string, unknown>>;

/** A user as SCIM writes it. `base` is the address of the service. */
export function userResource(base: string, user: ProvisionedUser): ScimResource {
  const { userId, fields, name, groups } = user;
  const formatted = [fields.givenName, fields.familyName].filter((part) => part !== null).join(' ');
  return {
    schemas: [USER_SCHEMA],
    id: userId,
    ...(fields.externalId !== null && { externalId: fields.externalId }),
    userName: fields.userName,
    name: {
      formatted: formatted === '' ? name : formatted,
      ...(fields.givenName !== null && { givenName: fields.givenName }),
      ...(fields.familyName !== null && { familyName: fields.familyName }),
    },
    displayName: name,
    active: fields.active,
    emails: [{ value: fields.email, type: 'work', primary: true }],
    groups: groups.map(({ groupId, displayName }) => ({
      value: groupId,
      display: displayName,
      type: 'direct',
      $ref: `${base}/Groups/${groupId}`,
    })),
    meta: metaOf('User', `${base}/Users/${userId}`, user),
  };
}

/** A group as SCIM writes it. `base` is the address of the service. */
export function groupResource(base: string, group: ProvisionedGroup): ScimResource {
  const { groupId, displayName, externalId, members } = group;
  return {
    schemas: [GROUP_SCHEMA],
    id: groupId,
    ...(externalId !== null && { externalId }),
    displayName,
    members: members.map(({ userId, name }) => ({ value: userId, display: name, type: 'User', $ref: `${base}/Users/${userId}` })),
    meta: metaOf('Group', `${base}/Groups/${groupId}`, group),
  };
}

function metaOf(
  resourceType: string,
  location: string,
  { createdAt, updatedAt }: { readonly createdAt: Date; readonly updatedAt: Date },
) {
  return { resourceType, created: createdAt.toISOString(), lastModified: updatedAt.toISOString(), location };
}

/** A page of resources (RFC 7644, section 3.4.2). */
export function listBody(resources: readonly ScimResource[], startIndex: number, totalResults: number): object {
  return { schemas: [LIST_SCHEMA], totalResults, startIndex, itemsPerPage: resources.length, Resources: resources };
}

/** Attributes that a request asks for or leaves out (RFC 7644, section 3.9): whole ones. */
export interface Projection {
  readonly attributes: readonly string[] | null;
  readonly excluded: readonly string[];
}

const ALWAYS = ['schemas', 'id', 'meta'];

/** A resource with the attributes that a request asks for. */
export function projected({ attributes, excluded }: Projection, resource: ScimResource): ScimResource {
  const isShown = (key: string) => {
    const name = key.toLowerCase();
    return ALWAYS.includes(name) || ((attributes?.includes(name) ?? true) && !excluded.includes(name));
  };
  return Object.fromEntries(Object.entries(resource).filter(([key]) => isShown(key)));
}

import { isUnavailable } from '@switchyard/db';
import {
  authenticateScimToken,
  changeProvisionedGroup,
  changeProvisionedUser,
  createProvisionedGroup,
  createProvisionedUser,
  deleteProvisionedGroup,
  deleteProvisionedUser,
  findProvisionedGroup,
  findProvisionedUser,
  type GroupRefusal,
  listProvisionedGroups,
  listProvisionedUsers,
  type SaveGroupOutcome,
  type SaveUserOutcome,
  type ScimAccess,
  type UserRefusal,
} from '@switchyard/staff/provisioning';
import { z } from 'zod';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import { SCIM_PATH } from '../http/request-kinds.ts';
import type { Switchyard } from '../process.ts';
import { PAGE_MAX, resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { type EqualTerm, parseFilter, withoutSchema } from './filter.ts';
import { applyPatch } from './patch.ts';
import {
  GROUP_SHAPE,
  groupAttributes,
  groupResource,
  listBody,
  type Projection,
  projected,
  readGroup,
  readOperations,
  readUser,
  type ScimResource,
  USER_SHAPE,
  userAttributes,
  userResource,
} from './resources.ts';
import { errorBody, SCIM_MEDIA_TYPE, ScimRefusal } from './scim-error.ts';

const PAGE_DEFAULT = 100;

/** `/scim/v2`: provisions staff users and groups from a provider (RFC 7643 and RFC 7644). */
export async function serveScim(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  try {
    const access = await authenticateScimToken(switchyard, request.headers.authorization ?? null);
    if (access === null) throw new ScimRefusal(401, 'The bearer token is missing, wrong or revoked.');
    const limit = await switchyard.rateLimit(access.tokenId);
    if (limit.exceeded) {
      const refusal = new ScimRefusal(429, `A token may ask ${limit.requestsPerSecond} times a second.`);
      return answer(429, errorBody(refusal), { 'retry-after': String(Math.max(1, Math.ceil(limit.resetMs / 1_000))) });
    }
    return await route(switchyard, access, request);
  } catch (error) {
    if (error instanceof ScimRefusal) {
      return answer(error.status, errorBody(error), error.status === 401 ? { 'www-authenticate': 'Bearer' } : {});
    }
    switchyard.log.error({ error }, 'provisioning failed');
    const isOut = isUnavailable(error);
    const refusal = new ScimRefusal(isOut ? 503 : 500, isOut ? 'Try again in a moment.' : 'Something failed here.');
    return answer(refusal.status, errorBody(refusal), isOut ? { 'retry-after': '2' } : {});
  }
}

function route(switchyard: Switchyard, access: ScimAccess, request: PlainRequest): Promise<PlainResponse> {
  const base = `${switchyard.resources.publicUrl}${SCIM_PATH}`;
  const call = { switchyard, access, request, base, query: new URLSearchParams(request.query) };
  const [kind = '', id, ...rest] = request.path.slice(SCIM_PATH.length).split('/').filter(Boolean).map(decoded);
  if (rest.length > 0) throw notFound();
  switch (kind) {
    case 'Users':
      return id === undefined ? usersEndpoint(call) : userEndpoint(call, id);
    case 'Groups':
      return id === undefined ? groupsEndpoint(call) : groupEndpoint(call, id);
    case 'ServiceProviderConfig':
      return discovery(call, serviceProviderConfig(base));
    case 'ResourceTypes':
      return discovery(call, chosen(resourceTypes(base), id));
    case 'Schemas':
      return discovery(call, chosen(schemas(base), id));
    case 'Bulk':
    case 'Me':
      throw new ScimRefusal(501, `${kind} is not offered.`);
    default:
      throw notFound();
  }
}

interface ScimCall {
  readonly switchyard: Switchyard;
  readonly access: ScimAccess;
  readonly request: PlainRequest;
  readonly base: string;
  readonly query: URLSearchParams;
}

async function discovery({ request, query }: ScimCall, body: object): Promise<PlainResponse> {
  if (request.method !== 'GET') throw wrongMethod();
  // RFC 7644, section 4: a filter of what cannot be filtered is refused, so that the answer is not taken for filtered.
  if (query.has('filter')) throw new ScimRefusal(403, 'This cannot be filtered.');
  return answer(200, body);
}

function chosen(all: readonly ScimResource[], id: string | undefined): object {
  if (id === undefined) return listBody(all, 1, all.length);
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw notFound();
  return found;
}

async function usersEndpoint(call: ScimCall): Promise<PlainResponse> {
  const { switchyard, access, request, base, query } = call;
  const projection = projectionOf(query);
  if (request.method === 'POST') {
    return saved(call, 201, await createProvisionedUser(switchyard, access, readUser(jsonBody(request))));
  }
  if (request.method !== 'GET') throw wrongMethod();
  const { startIndex, ...page } = pageOf(query);
  const filter = filterOf(query, USER_FILTERS);
  const { users, total } = await listProvisionedUsers(switchyard, access, { ...filter, ...page });
  const resources = users.map((user) => projected(projection, userResource(base, user)));
  return answer(200, listBody(resources, startIndex, total));
}

async function userEndpoint(call: ScimCall, id: string): Promise<PlainResponse> {
  const { switchyard, access, request, base, query } = call;
  const projection = projectionOf(query);
  switch (request.method) {
    case 'GET': {
      const user = await findProvisionedUser(switchyard, access, id);
      if (user === null) throw notFound();
      return answer(200, projected(projection, userResource(base, user)));
    }
    case 'PUT': {
      const fields = readUser(jsonBody(request));
      return saved(call, 200, await changeProvisionedUser(switchyard, access, id, () => fields));
    }
    case 'PATCH': {
      const operations = readOperations(jsonBody(request));
      const change = (before: Parameters<typeof userAttributes>[0]) =>
        readUser(applyPatch(USER_SHAPE, userAttributes(before), operations));
      return saved(call, 200, await changeProvisionedUser(switchyard, access, id, change));
    }
    case 'DELETE': {
      const outcome = await deleteProvisionedUser(switchyard, access, id);
      if (outcome.kind !== 'deleted') throw userRefusal(outcome);
      return answer(204, null);
    }
    default:
      throw wrongMethod();
  }
}

function saved({ base, query }: ScimCall, status: number, outcome: SaveUserOutcome): PlainResponse {
  if (outcome.kind !== 'saved') throw userRefusal(outcome);
  const resource = userResource(base, outcome.user);
  return answer(status, projected(projectionOf(query), resource), { location: `${base}/Users/${outcome.user.userId}` });
}

function userRefusal(refusal: UserRefusal): ScimRefusal {
  switch (refusal.kind) {
    case 'not_found':
      return notFound();
    case 'taken':
      return new ScimRefusal(409, `Another person has this value of ${refusal.attribute}.`, 'uniqueness');
    case 'too_many_people':
      return new ScimRefusal(403, `At most ${refusal.limit} people are kept.`);
    case 'foreign_domain':
      return new ScimRefusal(
        400,
        `The e-mail address is of none of the provider's domains: ${refusal.domains.replaceAll(',', ', ')}.`,
        'invalidValue',
      );
    case 'break_glass':
      return new ScimRefusal(403, 'The break-glass owner is not provisioned: their sign-in depends on no provider.');
    case 'last_owner': {
      const { name } = refusal;
      return new ScimRefusal(
        403,
        `${name} has to stay: the last owner of the workspace, or its break-glass owner. Make another person that first.`,
      );
    }
    default:
      return refusal satisfies never;
  }
}

async function groupsEndpoint(call: ScimCall): Promise<PlainResponse> {
  const { switchyard, access, request, base, query } = call;
  const projection = projectionOf(query);
  if (request.method === 'POST') {
    return savedGroup(call, 201, await createProvisionedGroup(switchyard, access, readGroup(jsonBody(request))));
  }
  if (request.method !== 'GET') throw wrongMethod();
  const { startIndex, ...page } = pageOf(query);
  const filter = filterOf(query, GROUP_FILTERS);
  const withMembers = 'members' in projected(projection, { members: [] });
  const { groups, total } = await listProvisionedGroups(switchyard, access, { ...filter, ...page, withMembers });
  const resources = groups.map((group) => projected(projection, groupResource(base, group)));
  return answer(200, listBody(resources, startIndex, total));
}

async function groupEndpoint(call: ScimCall, id: string): Promise<PlainResponse> {
  const { switchyard, access, request, base, query } = call;
  switch (request.method) {
    case 'GET': {
      const group = await findProvisionedGroup(switchyard, access, id);
      if (group === null) throw notFound();
      return answer(200, projected(projectionOf(query), groupResource(base, group)));
    }
    case 'PUT': {
      const fields = readGroup(jsonBody(request));
      return savedGroup(call, 200, await changeProvisionedGroup(switchyard, access, id, () => fields));
    }
    case 'PATCH': {
      const operations = readOperations(jsonBody(request));
      const change = (before: Parameters<typeof groupAttributes>[0]) =>
        readGroup(applyPatch(GROUP_SHAPE, groupAttributes(before), operations));
      return savedGroup(call, 200, await changeProvisionedGroup(switchyard, access, id, change));
    }
    case 'DELETE': {
      const outcome = await deleteProvisionedGroup(switchyard, access, id);
      if (outcome.kind !== 'deleted') throw groupRefusal(outcome);
      return answer(204, null);
    }
    default:
      throw wrongMethod();
  }
}

function savedGroup({ base, query }: ScimCall, status: number, outcome: SaveGroupOutcome): PlainResponse {
  if (outcome.kind !== 'saved') throw groupRefusal(outcome);
  const resource = groupResource(base, outcome.group);
  return answer(status, projected(projectionOf(query), resource), { location: `${base}/Groups/${outcome.group.groupId}` });
}

function groupRefusal(refusal: GroupRefusal): ScimRefusal {
  switch (refusal.kind) {
    case 'not_found':
      return notFound();
    case 'taken':
      return new ScimRefusal(409, `Another group has this value of ${refusal.attribute}.`, 'uniqueness');
    case 'too_many_groups':
      return new ScimRefusal(403, `At most ${refusal.limit} groups are kept.`);
    case 'unknown_member':
      return new ScimRefusal(
        400,
        `There is no user ${refusal.userId.slice(0, 100)}: members are users of this provider.`,
        'invalidValue',
      );
    default:
      return refusal satisfies never;
  }
}

/** Attributes that lists are filtered by, in lower case, and what each is of the query. */
const USER_FILTERS = {
  id: 'userId',
  username: 'userName',
  externalid: 'externalId',
  displayname: 'displayName',
  emails: 'email',
  'emails.value': 'email',
} as const;

const GROUP_FILTERS = {
  id: 'groupId',
  displayname: 'displayName',
  externalid: 'externalId',
  members: 'memberId',
  'members.value': 'memberId',
} as const;

function filterOf<Field extends string>(
  query: URLSearchParams,
  fields: Readonly<Record<string, Field>>,
): Partial<Record<Field, string>> {
  const text = query.get('filter');
  if (text === null) return {};
  const found: Partial<Record<Field, string>> = {};
  for (const { attribute, value } of parseFilter(text) ?? unfiltered(fields)) {
    const field = Object.hasOwn(fields, attribute) ? fields[attribute] : undefined;
    if (field === undefined || typeof value !== 'string' || found[field] !== undefined) unfiltered(fields);
    else found[field] = value;
  }
  return found;
}

function unfiltered(fields: Readonly<Record<string, string>>): readonly EqualTerm[] {
  const names = [...new Set(Object.values(fields))].join(', ');
  throw new ScimRefusal(400, `A filter compares with eq, joined by and: ${names}.`, 'invalidFilter');
}

const pageQuery = z.object({
  startIndex: z.coerce.number().int().min(Number.MIN_SAFE_INTEGER).max(1_000_000).catch(Number.NaN),
  count: z.coerce.number().int().catch(Number.NaN),
});

/** The page that a request asks for (RFC 7644, section 3.4.2.4): from 1 on. */
function pageOf(query: URLSearchParams): { readonly startIndex: number; readonly skip: number; readonly limit: number } {
  const { startIndex, count } = pageQuery.parse({
    startIndex: query.get('startIndex') ?? 1,
    count: query.get('count') ?? PAGE_DEFAULT,
  });
  if (Number.isNaN(startIndex) || Number.isNaN(count)) {
    throw new ScimRefusal(400, 'startIndex and count are whole numbers.', 'invalidValue');
  }
  const first = Math.max(1, startIndex);
  return { startIndex: first, skip: first - 1, limit: Math.min(PAGE_MAX, Math.max(0, count)) };
}

function projectionOf(query: URLSearchParams): Projection {
  const names = (name: string) => {
    const text = query.get(name);
    if (text === null || text.trim() === '') return null;
    return text.split(',').map((one) => withoutSchema(one.trim()).split('.')[0]?.toLowerCase() ?? '');
  };
  return { attributes: names('attributes'), excluded: names('excludedAttributes') ?? [] };
}

const MEDIA_TYPES = [SCIM_MEDIA_TYPE, 'application/json'];

function jsonBody({ headers, body }: PlainRequest): unknown {
  if (body.kind === 'too_large') throw new ScimRefusal(413, 'The request is too large.');
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!MEDIA_TYPES.includes(mediaType)) throw new ScimRefusal(415, `Send ${SCIM_MEDIA_TYPE}.`);
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body.bytes).toString('utf8'));
    return parsed;
  } catch {
    throw new ScimRefusal(400, 'The body is no JSON.', 'invalidSyntax');
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw notFound();
  }
}

const notFound = () => new ScimRefusal(404, 'There is no such resource.');
const wrongMethod = () => new ScimRefusal(405, 'The method is not offered here.');

function answer(status: number, body: object | null, headers: Readonly<Record<string, string>> = {}): PlainResponse {
  return {
    status,
    headers: { 'content-type': `${SCIM_MEDIA_TYPE}; charset=utf-8`, 'cache-control': 'no-store', ...headers },
    body: body === null ? '' : JSON.stringify(body),
  };
}

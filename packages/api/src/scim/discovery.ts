import { GROUP_SCHEMA, type ScimResource, USER_SCHEMA } from './resources.ts';

/* Offers of the service (RFC 7643, sections 5 to 7): clients make their mapping of attributes from it. */

/** Resources of one page. */
export const PAGE_MAX = 200;

/** Abilities of the service (RFC 7643, section 5). */
export function serviceProviderConfig(base: string): ScimResource {
  const no = { supported: false };
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: PAGE_MAX },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that an owner of the workspace makes in the dashboard.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** The kinds of resources (RFC 7643, section 6). */
export function resourceTypes(base: string): readonly ScimResource[] {
  const type = (id: string, schema: string, description: string) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint: `/${id}s`,
    description,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  });
  return [
    type('User', USER_SCHEMA, 'A person who signs in to the dashboard.'),
    type('Group', GROUP_SCHEMA, 'People who have the roles of their group.'),
  ];
}

/** The attributes of each kind (RFC 7643, section 7): those that are kept. */
export function schemas(base: string): readonly ScimResource[] {
  const schema = (id: string, name: string, description: string, attributes: readonly object[]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  });
  return [
    schema(USER_SCHEMA, 'User', 'A person who signs in to the dashboard.', [
      attribute('userName', 'The name at the provider, an e-mail address unless emails has one.', {
        required: true,
        uniqueness: 'server',
      }),
      attribute('externalId', "The provider's id.", { caseExact: true }),
      attribute('displayName', 'The name that colleagues read.'),
      attribute('name', 'Parts of the name.', {
        type: 'complex',
        subAttributes: [
          attribute('formatted', 'The whole name.'),
          attribute('givenName', 'The first name.'),
          attribute('familyName', 'The last name.'),
        ],
      }),
      attribute('active', 'False refuses sign-in, and ends sessions and tokens.', { type: 'boolean' }),
      attribute('emails', 'The e-mail address: the primary one is kept, else that of type work, else the first.', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', 'The address.', { uniqueness: 'server' }),
          attribute('type', 'Its kind.'),
          attribute('primary', 'True of the address that is kept.', { type: 'boolean' }),
        ],
      }),
      attribute('groups', 'The groups that the person is in.', {
        type: 'complex',
        multiValued: true,
        mutability: 'readOnly',
        subAttributes: REFERENCE('The group.', 'Group', 'readOnly'),
      }),
    ]),
    schema(GROUP_SCHEMA, 'Group', 'People who have the roles of their group.', [
      attribute('displayName', 'The name, which roles are mapped by.', { required: true, uniqueness: 'server' }),
      attribute('externalId', "The provider's id.", { caseExact: true }),
      attribute('members', 'The people in it.', {
        type: 'complex',
        multiValued: true,
        subAttributes: REFERENCE('The person.', 'User', 'immutable'),
      }),
    ]),
  ];
}

function attribute(name: string, description: string, more: object = {}): object {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  };
}

const REFERENCE = (description: string, to: string, mutability: string) => [
  attribute('value', `${description} Its id.`, { mutability }),
  attribute('display', `${description} Its name.`, { mutability: 'readOnly' }),
  attribute('type', `${description} Its kind.`, { mutability }),
  attribute('$ref', `${description} Its address.`, { type: 'reference', referenceTypes: [to], mutability }),
];

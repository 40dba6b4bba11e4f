import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ValidationPlugin from '@pothos/plugin-validation';
import type { ReportsSource } from '@switchyard/db';
import { MOMENT_RULE, parseMoment } from '@switchyard/db/moments';
import type { Permission } from '@switchyard/staff/permissions';
import type { GraphQLError } from 'graphql';
import { createGraphQLError, type Plugin } from 'graphql-yoga';
import type { Switchyard } from '../process.ts';
import type PrismaTypes from './generated/pothos.ts';
import { getDatamodel } from './generated/pothos.ts';
import { isAuthorized, type Owned, type Viewer } from './viewer.ts';

/** Operations beyond these limits are refused before any read. */
export const LIMITS = {
  depth: 8,
  breadth: 400,
  aliases: 15,
  tokens: 1_000,
  /** In the units of `extensions.cost`. */
  cost: 20_000,
  page: 500,
  defaultPage: 50,
  /** Merchants in one query. */
  merchants: 1_000,
  groups: 4,
  /** Longest period, in days: thirteen months. */
  days: 397,
  timeoutMs: 10_000,
} as const;

/** Marks an error as the refusal of an operation beyond the limits. */
export function tooCostly(error: GraphQLError): GraphQLError {
  error.extensions.code = 'TOO_COSTLY';
  return error;
}

/** Answers HTTP 400 to what is beyond the limits in every media type, as an oversized body is 413 in each: nothing of it is executed. */
export const refuseTooCostly: Plugin = {
  onResultProcess({ result, setResult }) {
    if (Array.isArray(result) || Symbol.asyncIterator in result) return;
    if (result.errors?.some(({ extensions }) => extensions.code === 'TOO_COSTLY') !== true) return;
    setResult({ ...result, extensions: { ...result.extensions, http: { status: 400 } } });
  },
};

/** The context of every resolver. Callers are always authenticated before this point. */
export interface GraphqlContext {
  readonly switchyard: Switchyard;
  readonly viewer: Viewer;
  /** The database that this operation reads: one snapshot, so that all parts of an answer are of one moment. */
  readonly reports: ReportsSource;
  /** Aborted when the client disconnects or the request times out. */
  readonly signal: AbortSignal;
}

/** Builds the schema with its access rules: queries declare a permission, types of merchant data declare their owner. */
export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  PrismaTypes: PrismaTypes;
  AuthScopes: {
    permission: Permission;
    /** The merchant, and the mode where known, that owns the data. */
    owner: Owned;
  };
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Scalars: {
    Amount: { Input: bigint; Output: bigint };
    Decimal: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  // Permissions are checked before validation, and both before any read.
  plugins: [ErrorsPlugin, ScopeAuthPlugin, ComplexityPlugin, ValidationPlugin, DataloaderPlugin, PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    runScopesOnType: true,
    authScopes: ({ viewer }) => ({
      permission: (permission) => viewer.may(permission),
      owner: (owned) => isAuthorized(viewer, owned),
    }),
  },
  // `handle.ts` limits what this counts.
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 5,
  },
  errors: { defaultTypes: [] },
  prisma: {
    client: ({ reports }) => reports.prisma,
    dmmf: getDatamodel(),
    maxConnectionSize: LIMITS.page,
    defaultConnectionSize: LIMITS.defaultPage,
    // A payment the caller may not read is not read.
    onUnusedQuery: null,
  },
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    edgesFieldOptions: { nullable: false, description: 'The entries of the page, in order.' },
    nodeFieldOptions: { nullable: false, description: 'The entry.' },
    cursorFieldOptions: { description: 'Cursor of this entry, for `after` or `before`.' },
    pageInfoFieldOptions: { description: 'Position of the page in the list.' },
    pageInfoTypeOptions: { description: 'Cursors of a page, and whether other pages exist.' },
    hasNextPageFieldOptions: { description: 'There are entries after this page.' },
    hasPreviousPageFieldOptions: { description: 'There are entries before this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first entry.' },
    endCursorFieldOptions: { description: 'Cursor of the last entry.' },
    firstArgOptions: { description: `The number of entries from the start, at most ${LIMITS.page}.` },
    lastArgOptions: { description: `The number of entries from the end, at most ${LIMITS.page}.` },
    afterArgOptions: { description: 'Only entries after this cursor.' },
    beforeArgOptions: { description: 'Only entries before this cursor.' },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
});

builder.queryType({ description: 'All queries. Each returns only data of the merchants the caller may read.' });

builder.scalarType('Amount', {
  description:
    'Money as a whole number of the main currency unit: 1000 is one thousand naira. Never above 1,000,000,000,000, so a JavaScript number holds it exactly.',
  serialize(value) {
    const amount = Number(value);
    if (!Number.isSafeInteger(amount)) throw createGraphQLError('An amount is too large to be a number.');
    return amount;
  },
  parseValue(value) {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    throw createGraphQLError('An amount is a whole number of the main currency unit.');
  },
});

builder.scalarType('Decimal', {
  description: 'An exact decimal of the main currency unit as text, as a gateway reported it: "999.5".',
  serialize: (value) => value,
  parseValue(value) {
    if (typeof value === 'string' && /^\d{1,24}(\.\d{1,6})?$/.test(value)) return value;
    throw createGraphQLError('A decimal is text such as "999.5".');
  },
});

builder.scalarType('DateTime', {
  description: 'Time as ISO 8601 in UTC with milliseconds: 2026-11-21T09:30:00.000Z.',
  serialize: (value) => value.toISOString(),
  parseValue(value) {
    const date = typeof value === 'string' ? parseMoment(value) : null;
    if (date === null) throw createGraphQLError(`A moment ${MOMENT_RULE}.`);
    return date;
  },
});

builder.scalarType('JSON', {
  description: 'Free-form JSON, as stored.',
  serialize: (value) => value,
  parseValue: () => {
    throw createGraphQLError('Free-form JSON is not taken as input.');
  },
});

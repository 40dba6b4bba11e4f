import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ValidationPlugin from '@pothos/plugin-validation';
import type { Permission } from '@switchyard/staff';
import type { Switchyard } from '../process.ts';
import type PrismaTypes from './generated/pothos.ts';
import { getDatamodel } from './generated/pothos.ts';
import { LIMITS } from './limits.ts';
import { isWithinReach, type Owned, type Viewer } from './viewer.ts';

/** The context of every resolver. Callers are always authenticated before this point. */
export interface GraphqlContext {
  readonly switchyard: Switchyard;
  readonly viewer: Viewer;
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
      owner: (owned) => isWithinReach(viewer, owned),
    }),
  },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 5,
    limit: { complexity: LIMITS.cost, depth: LIMITS.depth, breadth: LIMITS.breadth },
  },
  errors: { defaultTypes: [] },
  prisma: {
    client: ({ switchyard }) => switchyard.resources.reports.prisma,
    dmmf: getDatamodel(),
    maxConnectionSize: LIMITS.page,
    defaultConnectionSize: LIMITS.defaultPage,
    // A payment out of reach is not read.
    onUnusedQuery: null,
  },
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    edgesFieldOptions: { nullable: false, description: 'What the page holds, in order.' },
    nodeFieldOptions: { nullable: false, description: 'What stands there.' },
    cursorFieldOptions: { description: 'Its place: hand it back as `after` or `before`.' },
    pageInfoFieldOptions: { description: 'Whether there is more.' },
    pageInfoTypeOptions: { description: 'Where a page begins and ends, and whether there is more.' },
    hasNextPageFieldOptions: { description: 'There is more after it.' },
    hasPreviousPageFieldOptions: { description: 'There is more before it.' },
    startCursorFieldOptions: { description: 'Place of its first entry.' },
    endCursorFieldOptions: { description: 'Place of its last entry.' },
    firstArgOptions: { description: `At most so many from the beginning, up to ${LIMITS.page}.` },
    lastArgOptions: { description: `At most so many from the end, up to ${LIMITS.page}.` },
    afterArgOptions: { description: 'Only what comes after this place.' },
    beforeArgOptions: { description: 'Only what comes before this place.' },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
});

builder.queryType({ description: 'Everything that can be read. Each query answers only for the merchants you reach.' });

import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

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

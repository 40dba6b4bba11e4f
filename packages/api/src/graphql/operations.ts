import { createHash } from 'node:crypto';

const VOLUME = `query Volume(
  $filter: VolumeFilter!, $groupBy: [VolumeGroup!]!, $currency: String!, $zone: String!, $compare: Boolean!, $asOf: DateTime
) {
  volume(filter: $filter, groupBy: $groupBy, currency: $currency, zone: $zone, compare: $compare, asOf: $asOf) {
    __typename
    ... on InvalidInput { problems }
    ... on VolumeReport {
      currency zone date asOf period { from to } previousPeriod { from to }
      total { ...Sums } previousTotal { ...Sums }
      closedMonths { month merchant { id name } }
      rows {
        periodStart gateway method status ruleId account { id gateway label } merchant { id name }
        sums { ...Sums } previous { ...Sums }
      }
    }
  }
}
fragment Sums on VolumeSums { payments paid failed expired pending late amount paidAmount refunded reversed fees net conversion }`;

/** The dashboard's own operations, which it may send by the SHA-256 of their text. */
const TEXTS = { volume: VOLUME } as const;

/** Name of a query that the dashboard sends. */
export type OperationName = keyof typeof TEXTS;

/** The hash by which the dashboard sends an operation. */
export function operationHash(name: OperationName): string {
  return createHash('sha256').update(TEXTS[name]).digest('hex');
}

/** Operations by their hash. */
export const OPERATIONS: ReadonlyMap<string, string> = new Map(
  Object.values(TEXTS).map((text) => [createHash('sha256').update(text).digest('hex'), text]),
);

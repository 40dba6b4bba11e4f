import type { Mode } from '../../../../scope/scope.ts';

/** An example query. */
interface ReadyQuery {
  readonly name: string;
  readonly query: string;
}

/** The scope of the example queries: a mode, and the last thirty full days in Africa/Lagos. */
interface ReadyScope {
  readonly mode: Mode;
  readonly from: string;
  readonly to: string;
}

/** Example queries for finance, each complete. */
export function readyQueries({ mode, from, to }: ReadyScope): readonly ReadyQuery[] {
  const period = `mode: ${mode}, from: "${from}", to: "${to}"`;
  const created = `mode: ${mode}, createdFrom: "${from}", createdTo: "${to}"`;
  return [
    {
      name: 'Volume by day',
      query: `query VolumeByDay {
  volume(filter: { ${period} }, groupBy: [day], zone: "Africa/Lagos", compare: true) {
    ... on InvalidInput { problems }
    ... on VolumeReport {
      currency
      total { payments paid paidAmount refunded fees net }
      rows { periodStart sums { payments paid paidAmount } previous { paidAmount } }
    }
  }
}`,
    },
    {
      name: 'Conversion by gateway',
      query: `query ConversionByGateway {
  volume(filter: { ${period} }, groupBy: [gateway, method]) {
    ... on InvalidInput { problems }
    ... on VolumeReport {
      total { conversion }
      rows { gateway method sums { payments paid failed pending conversion } }
    }
  }
}`,
    },
    {
      name: 'Month end, as of',
      query: `# The same question has the same answer for ever: payments as they stood at asOf.
query MonthEnd {
  volume(filter: { ${period} }, groupBy: [merchant], asOf: "${to}") {
    ... on InvalidInput { problems }
    ... on VolumeReport {
      asOf
      total { paidAmount refunded fees net }
      rows { merchant { number name } sums { paidAmount refunded fees net } }
    }
  }
}`,
    },
    {
      name: 'Late payments',
      query: `# Paid after they had been called failed.
query LatePayments {
  payments(filter: { ${created}, late: true }, first: 50) {
    edges { node { id merchantOrderId amount currency paidAt gateway merchant { name } } }
    pageInfo { endCursor hasNextPage }
  }
}`,
    },
    {
      name: 'Duplicate charges',
      query: `query DuplicateCharges {
  duplicateCharges(filter: { ${created}, states: [OPEN, REFUNDING] }, first: 50) {
    edges { node { id paymentId amount currency transactionId state account { gateway label } createdAt } }
    pageInfo { endCursor hasNextPage }
  }
}`,
    },
    {
      name: 'Discrepancies',
      query: `query Discrepancies {
  reconciliation(filter: { ${created}, states: [OPEN] }, first: 50) {
    edges { node { day kind reference ledger statement account { gateway label } } }
    pageInfo { endCursor hasNextPage }
  }
}`,
    },
    {
      name: 'Settlement',
      query: `query Settlement {
  settlement(filter: { ${period} }) {
    ... on InvalidInput { problems }
    ... on SettlementList {
      data { day expectedOn currency account { gateway label } payments paidAmount fees refunded comparison { comparedAt openDiscrepancies } }
    }
  }
}`,
    },
  ];
}

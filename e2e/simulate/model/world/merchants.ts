import type { MerchantConfiguration } from '@switchyard/runtime';
import type { Tables } from '../store/rows.ts';
import type { ModelPlan } from './plan.ts';

export const MODE = 'live';

/** Id of the nth thing of a kind: the same in each world. */
export function fixedId(kind: number, n: number): string {
  return `0000000${kind}-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

/** The merchants of a plan, as processes have them in memory. */
export function configure({ merchants, seed }: ModelPlan, at: Date): readonly MerchantConfiguration[] {
  return merchants.map(({ sessionMinutes, refundDuplicates, gateways }, place): MerchantConfiguration => {
    const merchantId = fixedId(1, place);
    return {
      revision: 1,
      merchant: {
        id: merchantId,
        merchantNumber: `M-${seed}-${place}`,
        name: `Merchant ${place}`,
        defaultRedirectUrl: null,
        sessionMinutes,
        refundDuplicates,
        rulesNeedApproval: false,
        approvalWaiverBy: null,
        approvalWaiverAt: null,
        agentsMayWriteLive: false,
        createdAt: at,
        updatedAt: at,
      },
      keys: [],
      accounts: gateways.map((gateway, index) => ({
        merchantId,
        id: fixedId(2, 10 * place + index),
        mode: MODE,
        gateway,
        label: gateway,
        enabled: true,
        credentials: '',
        credentialHint: {},
        currencies: ['NGN', 'GHS', 'USD'],
        methods: ['CARD', 'TRANSFER'],
        minAmount: 1n,
        maxAmount: null,
        fees: null,
        baseUrl: null,
        configurationFault: null,
        configurationFaultMessage: null,
        configurationFaultAt: null,
        connectionTestedAt: null,
        createdAt: at,
        updatedAt: at,
      })),
      feeContracts: [],
      effectiveRates: new Map(),
      ruleSets: {},
      overrides: [],
      gatewayOverrides: [],
      healthThresholds: {},
    };
  });
}

/** Stores the endpoints of merchants. */
export function storeEndpoints(tables: Tables, { merchants }: ModelPlan, at: Date): void {
  for (const [place, { endpoints }] of merchants.entries()) {
    for (let n = 0; n < endpoints; n += 1) {
      const id = fixedId(3, 10 * place + n);
      tables.endpoints.insert({
        merchantId: fixedId(1, place),
        id,
        mode: MODE,
        url: `https://merchant-${place}.example/${id}`,
        description: '',
        types: [],
        format: 'switchyard',
        secrets: [],
        previousSecretEndsAt: null,
        enabled: true,
        failingSince: null,
        lastFailedAt: null,
        lastDeliveredAt: null,
        disabledAt: null,
        disabledReason: null,
        certificateExpiresAt: null,
        removedAt: null,
        createdAt: at,
        updatedAt: at,
      });
    }
  }
}

interface AccountOfGateway {
  readonly merchantId: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
}

/** A gateway that can be drained for all merchants, with how many of their accounts are known. */
export interface DrainedGateway {
  readonly gateway: string;
  readonly title: string;
  readonly mode: 'test' | 'live';
  readonly accounts: number;
  readonly merchants: number;
}

/** A gateway of which an overview of health has accounts; null where it has none. */
export function drainedGateway(
  accounts: readonly AccountOfGateway[],
  name: string | null,
  mode: DrainedGateway['mode'],
): DrainedGateway | null {
  const own = accounts.filter(({ gateway }) => gateway === name);
  const [first] = own;
  if (first === undefined) return null;
  const merchants = new Set(own.map(({ merchantId }) => merchantId)).size;
  return { gateway: first.gateway, title: first.gatewayTitle, mode, accounts: own.length, merchants };
}

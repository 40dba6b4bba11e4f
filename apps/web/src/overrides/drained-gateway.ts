interface AccountOfGateway {
  readonly gateway: string;
  readonly gatewayTitle: string;
}

/** A gateway that can be drained for all merchants. */
export interface DrainedGateway {
  readonly gateway: string;
  readonly title: string;
  readonly mode: 'test' | 'live';
}

/** A gateway of which these are accounts; null where none is. */
export function drainedGateway(
  accounts: readonly AccountOfGateway[],
  name: string | null,
  mode: DrainedGateway['mode'],
): DrainedGateway | null {
  const first = accounts.find(({ gateway }) => gateway === name);
  return first === undefined ? null : { gateway: first.gateway, title: first.gatewayTitle, mode };
}

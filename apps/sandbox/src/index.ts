export { commonFaults, type FaultKind, faultKindNames, faultKinds } from './faults/kinds.ts';
export type { SandboxOptions } from './options.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
export { PortUnavailable } from './server/listener.ts';
export type { GatewaySpec, TestCard } from './simulator.ts';
export { type GatewayName, gatewayNames, isGatewayName, ofEachGateway, simulators } from './simulators.ts';
export type { RefundEnd, Timing } from './timing.ts';

import type { RequestListener } from 'node:http';
import type { SimulatorServers } from '../simulator-server.ts';
import { isGatewayName } from '../simulators.ts';

/** Hands a request whose path begins with a gateway's name to that simulator, and every other one to the control server. */
export function sandboxHandler(servers: SimulatorServers, control: RequestListener): RequestListener {
  return (request, response) => {
    const { name, target } = splitTarget(request.url ?? '/');
    if (isGatewayName(name)) servers[name].answer(target, request, response);
    else control(request, response);
  };
}

/** Splits `/paystack/transaction?page=2` into the name and what the gateway itself would have been sent. */
export function splitTarget(target: string): { name: string; target: string } {
  const [, name = '', rest = ''] = /^\/([^/?]*)(.*)$/s.exec(target) ?? [];
  return { name, target: rest.startsWith('/') ? rest : `/${rest}` };
}

import { portHolder } from './port-holder.ts';
import { freePort, nextFreePort, portState } from './ports.ts';
import { Problem } from './problem.ts';

/** The ports the programs listen on. */
export interface Ports {
  readonly web: number;
  readonly reporting: number;
  readonly sandbox: number;
  readonly paystack: number;
  readonly flutterwave: number;
}

/** The variable that sets each port, its default, and what listens there. */
const PORTS = {
  web: { variable: 'PORT', usual: 3000, program: 'the web application' },
  reporting: { variable: 'REPORTING_PORT', usual: 3001, program: 'reporting' },
  sandbox: { variable: 'SANDBOX_PORT', usual: 4010, program: 'the sandbox' },
  paystack: { variable: 'SANDBOX_PAYSTACK_PORT', usual: 4011, program: "the sandbox's Paystack" },
  flutterwave: { variable: 'SANDBOX_FLUTTERWAVE_PORT', usual: 4012, program: "the sandbox's Flutterwave" },
} as const;

type Program = keyof typeof PORTS;

function parsePort(variable: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Problem(`${variable} is "${text}", which is no port.`, [
    `A port is a number up to 65535, for example: ${variable}=3001 npm start`,
  ]);
}

async function assertFree(program: Program, port: number): Promise<void> {
  const state = await portState(port);
  if (state === 'free') return;
  const { variable, program: name } = PORTS[program];
  const other = await nextFreePort(Math.max(port + 1, 1_024));
  const choice = `another port for ${name}:  ${variable}=${other} npm start`;
  if (state === 'not_permitted') throw new Problem(`This user may not open port ${port}.`, [`Choose ${choice}`]);
  const holder = portHolder(port);
  const where = holder?.folder ? `, in ${holder.folder}` : '';
  const by = holder ? ` by ${holder.command} (process ${holder.pid}${where})` : ' by another program';
  throw new Problem(`Port ${port} is taken${by}.`, [`Stop that program, or choose ${choice}`]);
}

async function choose(program: Program, text: string | undefined, insist: boolean, chosen: ReadonlySet<number>): Promise<number> {
  const { variable, usual } = PORTS[program];
  const wanted = text ? parsePort(variable, text) : usual;
  if (wanted === 0) return freePort();
  if (text || insist) {
    await assertFree(program, wanted);
    return wanted;
  }
  if (!chosen.has(wanted) && (await portState(wanted)) === 'free') return wanted;
  return freePort();
}

/**
 * Chooses the ports before anything is started. Those that the user set have to be free, and so has the web application's default,
 * because people bookmark its address; the others move to free ports when their defaults are taken. 0 means any.
 */
export async function choosePorts(env: Readonly<Record<string, string | undefined>>): Promise<Ports> {
  const chosen = new Set<number>();
  const settle = async (program: Program): Promise<number> => {
    const port = await choose(program, env[PORTS[program].variable], program === 'web', chosen);
    chosen.add(port);
    return port;
  };
  return {
    web: await settle('web'),
    reporting: await settle('reporting'),
    sandbox: await settle('sandbox'),
    paystack: await settle('paystack'),
    flutterwave: await settle('flutterwave'),
  };
}

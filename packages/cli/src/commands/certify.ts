import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Certification, GatewayName, WebhookSource } from '../connectors.ts';
import { printable, type Surroundings, UsageError } from '../print.ts';

type Connectors = typeof import('../connectors.ts');

interface CertifyOptions {
  readonly gateway: GatewayName;
  readonly host?: string;
  readonly skipPaid?: true;
  readonly wait: number;
  readonly webhookUrl?: string;
  readonly webhookPort: number;
  readonly pasteWebhook?: true;
  readonly output: string;
}

const DEFAULT_WAIT_SECONDS = 600;
const DEFAULT_WEBHOOK_PORT = 4040;

/** `switchyard certify` */
export function addCertify(program: Command, surroundings: Surroundings, version: string, onFailure: () => void): void {
  const name = new Option('--gateway <name>', 'the gateway').makeOptionMandatory();
  const command = program
    .command('certify')
    .description("check a gateway's connector against the gateway itself, with test keys of your own; writes a report")
    .addOption(name)
    .option('--host <address>', "another base address than the gateway's own test hosts")
    .option('--skip-paid', 'without a payment, and without what needs one')
    .option('--wait <seconds>', 'how long a payment, a webhook or a refund is waited for', readSeconds, DEFAULT_WAIT_SECONDS)
    .option('--webhook-url <address>', 'the address of your tunnel, entered as the webhook address on the gateway’s dashboard')
    .option('--webhook-port <port>', 'the local port that the tunnel leads to', readPort, DEFAULT_WEBHOOK_PORT)
    .option('--paste-webhook', 'asks for the webhook as it came, where there is no tunnel')
    .option('--output <folder>', 'where the report goes', '.')
    .action(async (options: CertifyOptions) => {
      const folder = resolve(surroundings.folder, options.output);
      makeWritable(folder);
      const connectors = await import('../connectors.ts');
      const report = await runCertification(connectors, options, surroundings, version);
      const paths = writeReport(report, connectors.describeCertification(report), folder);
      surroundings.out(`\n${connectors.countResults(report.checks)}\n${paths.join('\n')}\n`);
      if (report.checks.some(({ result }) => result === 'failed')) onFailure();
    });
  program.hook('preSubcommand', async (_, chosen) => {
    if (chosen === command) name.choices((await import('../connectors.ts')).gatewayNames);
  });
}

async function runCertification(
  connectors: Connectors,
  { gateway, host, skipPaid, wait, webhookUrl, webhookPort, pasteWebhook }: CertifyOptions,
  surroundings: Surroundings,
  version: string,
): Promise<Certification> {
  const { out, err, signal } = surroundings;
  if (host !== undefined && !/^https?:$/.test(URL.parse(host)?.protocol ?? '')) {
    throw new UsageError(`${host} is no address such as https://api.example.com`);
  }
  if (webhookUrl !== undefined && !/^https?:$/.test(URL.parse(webhookUrl)?.protocol ?? '')) {
    throw new UsageError(`${webhookUrl} is no address such as https://example.ngrok.app`);
  }
  const credentials = await readGatewayCredentials(connectors, gateway, surroundings);
  const listener = webhookUrl === undefined ? null : await listenForWebhooks(webhookPort);
  if (webhookUrl !== undefined) {
    err(
      `The webhook address of test mode on the gateway's dashboard has to be ${webhookUrl}, which has to lead to port ${webhookPort} here.\n`,
    );
  }
  const pasted = pasteWebhook === true ? pastedWebhook(surroundings) : null;
  try {
    return await connectors.certify({
      gateway,
      credentials,
      host: host ?? null,
      version,
      skipPaid: skipPaid === true,
      waitMs: wait * 1_000,
      webhooks: listener ?? pasted,
      startedAt: new Date(),
      newId: randomUUID,
      tell: (line) => err(`${printable(line)}\n`),
      onResult: (check) =>
        out(`${connectors.wordOf(check).padEnd(8)} ${check.title}: ${printable(connectors.sentenceOf(check))}\n`),
      signal,
    });
  } finally {
    await listener?.close();
  }
}

/** From the environment, `PAYSTACK_SECRET_KEY`; asks for what is missing there, where it is not optional. */
async function readGatewayCredentials(
  connectors: Connectors,
  name: GatewayName,
  { environment, readSecret }: Surroundings,
): Promise<Readonly<Record<string, string>>> {
  const gateway = connectors.findGateway(name);
  if (gateway === null) throw new UsageError(`there is no gateway ${name}`);
  const given: Record<string, string> = {};
  for (const { name: field, isOptional } of connectors.credentialFields(gateway)) {
    const variable = connectors.credentialVariable(gateway, field);
    const value = environment[variable] ?? (isOptional ? '' : await readSecret(`${variable} (not shown): `));
    if (value.trim() !== '') given[field] = value.trim();
  }
  const parsed = connectors.parseCredentials(gateway, given);
  if (parsed.ok) return parsed.credentials;
  throw new UsageError(parsed.problems.map(({ field, message }) => `${field} ${message}`).join('\n'));
}

/** Before a person has paid for a report that could not be written. */
function makeWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UsageError(`The report cannot be written into ${folder}: give another folder as --output`);
  }
}

/** Writes the report as JSON and as Markdown. Returns the paths. */
function writeReport(report: Certification, markdown: string, folder: string): readonly string[] {
  const name = join(folder, `${report.gateway}-${report.startedAt.replaceAll(/[:.]/g, '-')}`);
  writeFileSync(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${name}.md`, markdown);
  return [`${name}.json`, `${name}.md`];
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0 && seconds <= 86_400)) throw new InvalidArgumentError('It is a number of seconds, up to a day.');
  return seconds;
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('It is the number of a port.');
  return port;
}

const MAX_BODY_BYTES = 2 * 1024 * 1024;

type Delivery = NonNullable<Awaited<ReturnType<WebhookSource['next']>>>;

/** Webhooks that a tunnel brings to a port of this machine, and what closes it. Each is answered with 200. */
async function listenForWebhooks(port: number): Promise<WebhookSource & { close(): Promise<void> }> {
  const came: Delivery[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      came.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks) });
      response.end();
      for (const wake of waiting) wake();
    });
  });
  server.listen(port);
  await once(server, 'listening').catch((error: unknown) => {
    throw new UsageError(`Port ${port} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  });
  return {
    async next(withinMs) {
      if (came.length === 0) await nextOrTimeout(waiting, withinMs);
      return came.shift() ?? null;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function nextOrTimeout(waiting: Set<() => void>, withinMs: number): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      waiting.delete(end);
      done();
    };
    const timer = setTimeout(end, Math.max(0, withinMs));
    waiting.add(end);
  });
}

/** One webhook that a person pastes: headers, an empty line and the body, exactly as they came. */
function pastedWebhook({ err, readText }: Surroundings): WebhookSource {
  let asked = false;
  return {
    async next(withinMs) {
      if (asked) return null;
      asked = true;
      err('Paste the webhook as it came: its headers, an empty line, its body. End with Ctrl-D, or a line with a dot alone.\n');
      const text = await readText(AbortSignal.timeout(Math.ceil(withinMs)));
      return text.trim() === '' ? null : readDelivery(text);
    },
  };
}

/** A request's text: an optional request line, headers, an empty line, the body. */
export function readDelivery(text: string): Delivery {
  const [head = '', ...rest] = text.replaceAll('\r\n', '\n').trimStart().split('\n\n');
  const headers = head.split('\n').flatMap((line) => {
    const match = /^([\w-]+):\s*(.*)$/.exec(line);
    return match === null ? [] : [[(match[1] ?? '').toLowerCase(), match[2] ?? ''] as const];
  });
  return { headers: Object.fromEntries(headers), body: Buffer.from(rest.join('\n\n').replace(/\n$/, ''), 'utf8') };
}

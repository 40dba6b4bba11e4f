import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readText } from '../bootstrap/files.mjs';
import { Problem } from '../bootstrap/problem.mjs';

/** Where backups are: base backups below `base`, the archived write-ahead log below `wal`, each segment compressed by gzip. */
export interface BackupFolder {
  readonly base: string;
  readonly wal: string;
}

/** A base backup that is complete: the record of its end is in the archived log. */
export interface BaseBackup {
  readonly folder: string;
  readonly timeline: number;
  /** The first segment of the log that it needs. */
  readonly firstSegment: string;
  /** From here on a moment can be restored. */
  readonly finishedAt: Date;
}

/** It stands in shell commands and in PostgreSQL's configuration, which would need quotes of their own otherwise. */
const PLAIN_PATH = /^\/[\w./-]+$/;
export const UNFINISHED = '.unfinished';

/** The folders of backups below a path. Throws a Problem for a path that is not absolute and plain. */
export function backupFolder(path: string): BackupFolder {
  if (!isAbsolute(path) || !PLAIN_PATH.test(path)) {
    throw new Problem(`The folder of backups has to be absolute, of letters, digits, dots, dashes and slashes: ${path}`);
  }
  return { base: join(path, 'base'), wal: join(path, 'wal') };
}

/**
 * The `archive_command` for a folder. A segment is there whole or not at all; one that is there already is taken as archived when it is
 * the same, and refused when it differs, as PostgreSQL's documentation asks ("Setting Up WAL Archiving").
 */
export function archiveCommand({ wal }: BackupFolder): string {
  const file = `${wal}/%f.gz`;
  return (
    `if test -f ${file}; then gzip -dc ${file} | cmp -s - "%p"; ` +
    `else gzip < "%p" > ${file}.new && sync ${file}.new && mv ${file}.new ${file}; fi`
  );
}

/** The `restore_command` for a folder. */
export function restoreCommand({ wal }: BackupFolder): string {
  return `gunzip < ${wal}/%f.gz > "%p"`;
}

/** The complete base backups of a folder, the oldest first. */
export function listBaseBackups({ base, wal }: BackupFolder): BaseBackup[] {
  const names = existsSync(base) ? readdirSync(base).filter((name) => !name.endsWith(UNFINISHED)) : [];
  const records = existsSync(wal) ? readdirSync(wal).filter((name) => name.endsWith('.backup.gz')) : [];
  const found = names.flatMap((name) => {
    const folder = join(base, name);
    const label = readText(join(folder, 'backup_label'));
    if (label === undefined) return [];
    const [start = '', firstSegment = ''] = /^START WAL LOCATION: \S+ \(file (\w{24})\)$/m.exec(label) ?? [];
    const timeline = Number(/^START TIMELINE: (\d+)$/m.exec(label)?.[1]);
    // The record is named by the first segment and the place in it; two backups may begin in one segment.
    const record = records
      .filter((file) => file.startsWith(firstSegment))
      .map((file) => gunzipSync(readFileSync(join(wal, file))).toString())
      .find((text) => text.includes(start));
    return record === undefined ? [] : [{ folder, timeline, firstSegment, finishedAt: readStopTime(record) }];
  });
  return found.sort((one, other) => one.finishedAt.getTime() - other.finishedAt.getTime());
}

function readStopTime(record: string): Date {
  const [, text = '', zone = ''] = /^STOP TIME: (\S+ \S+) (\S+)$/m.exec(record) ?? [];
  if (!['UTC', 'GMT'].includes(zone)) {
    throw new Problem(`A base backup was finished at "${text} ${zone}": only times in UTC can be read.`, [
      "Set log_timezone = 'UTC' on the server, and take another one.",
    ]);
  }
  return new Date(`${text.replace(' ', 'T')}Z`);
}

/**
 * The timelines in the archive that may go on from this one, besides itself: each began at the promotion of a restored copy or of a
 * standby. One whose record is missing may.
 */
export function timelinesAfter({ wal }: BackupFolder, timeline: number): number[] {
  const names = existsSync(wal) ? readdirSync(wal) : [];
  const all = new Set(names.flatMap((name) => (/^[0-9A-F]{8}/.test(name) ? [Number.parseInt(name.slice(0, 8), 16)] : [])));
  const later = [...all].filter((each) => each > timeline).sort((one, other) => one - other);
  return later.filter((each) => ancestorsInArchive({ wal }, each)?.includes(timeline) ?? true);
}

/** The timelines that an archived one came from, by its record; null without a record. */
export function ancestorsInArchive({ wal }: Pick<BackupFolder, 'wal'>, timeline: number): number[] | null {
  const file = join(wal, `${historyName(timeline)}.gz`);
  return existsSync(file) ? readAncestors(gunzipSync(readFileSync(file)).toString()) : null;
}

/** A segment that is not in the archive. */
interface MissingSegment {
  readonly name: string;
  /** True when the archive has the segment of this number of a timeline before. */
  readonly isInOlderTimeline: boolean;
}

/** The segments that are missing in the archive from a base backup to the last one of a timeline. */
export function missingSegments({ wal }: BackupFolder, from: BaseBackup, timeline: number): MissingSegment[] {
  const names = new Set(readdirSync(wal).flatMap((name) => (/^[0-9A-F]{24}\.gz$/.test(name) ? [name.slice(0, 24)] : [])));
  if (!names.has(from.firstSegment)) return [{ name: from.firstSegment, isInOlderTimeline: false }];
  const bytes = gunzipSync(readFileSync(join(wal, `${from.firstSegment}.gz`))).length;
  const perLog = 2 ** 32 / bytes;
  const numberOf = (name: string) => Number.parseInt(name.slice(8, 16), 16) * perLog + Number.parseInt(name.slice(16), 16);
  const nameOf = (each: number, number: number) =>
    [each, Math.floor(number / perLog), number % perLog].map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
  const steps = readSteps({ wal }, timeline).map(({ left, at }) => ({ left, before: Math.floor(at / bytes) }));
  const last = Math.max(...[...names].filter((name) => name.startsWith(nameOf(timeline, 0).slice(0, 8))).map(numberOf));
  const missing: MissingSegment[] = [];
  for (let number = numberOf(from.firstSegment); number <= last; number += 1) {
    const older = steps.filter(({ before }) => number >= before).map(({ left }) => left);
    const name = nameOf(steps.find(({ before }) => number < before)?.left ?? timeline, number);
    if (!names.has(name)) missing.push({ name, isInOlderTimeline: older.some((each) => names.has(nameOf(each, number))) });
  }
  return missing;
}

/** Where a timeline left those that it came from, in bytes of the log. */
function readSteps(backups: Pick<BackupFolder, 'wal'>, timeline: number): { left: number; at: number }[] {
  const file = join(backups.wal, `${historyName(timeline)}.gz`);
  const history = existsSync(file) ? gunzipSync(readFileSync(file)).toString() : '';
  return [...history.matchAll(/^(\d+)\t([0-9A-F]+)\/([0-9A-F]+)/gm)].map(([, left, high = '', low = '']) => ({
    left: Number(left),
    at: Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16),
  }));
}

/** PostgreSQL's name for the record of how a timeline began. */
export function historyName(timeline: number): string {
  return `${timeline.toString(16).toUpperCase().padStart(8, '0')}.history`;
}

/** The timelines that such a record lists, the one left last at its end. */
export function readAncestors(history: string): number[] {
  return [...history.matchAll(/^(\d+)\t/gm)].map((match) => Number(match[1]));
}

import superjson from 'superjson';

/**
 * The settings that differ from those a form was opened with. Only these are sent: another person may have changed the others since,
 * and fields that were not edited must not set them back.
 */
export function onlyChanged<Settings extends object>(opened: Settings, entered: Settings): Partial<Settings> {
  const changed: Partial<Settings> = {};
  for (const name in entered) {
    if (superjson.stringify(entered[name]) !== superjson.stringify(opened[name])) changed[name] = entered[name];
  }
  return changed;
}

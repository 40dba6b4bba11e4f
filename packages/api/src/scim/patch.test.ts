import { describe, expect, test } from 'vitest';
import { parseFilter } from './filter.ts';
import { applyPatch, type PatchOperation } from './patch.ts';
import { GROUP_SHAPE, USER_SHAPE } from './resources.ts';
import { ScimRefusal } from './scim-error.ts';

const ADA = {
  username: 'ada@example.com',
  active: true,
  name: { givenname: 'Ada', familyname: 'Obi' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
};
const patchUser = (...operations: PatchOperation[]) => applyPatch(USER_SHAPE, ADA, operations);
const members = (...ids: string[]) => ids.map((value) => ({ value }));
const patchGroup = (before: readonly string[], ...operations: PatchOperation[]) =>
  applyPatch(GROUP_SHAPE, { displayname: 'Finance', members: members(...before) }, operations).members;

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ScimRefusal) return error.scimType;
    throw error;
  }
  return 'none';
}

describe('PATCH of a user, RFC 7644 section 3.5.2', () => {
  test('is understood with a path and without one, in any case, with and without a schema', () => {
    for (const operation of [
      { op: 'replace', path: 'name.familyName', value: 'Eze' },
      { op: 'replace', path: 'NAME.FAMILYNAME', value: 'Eze' },
      { op: 'replace', value: { 'name.familyName': 'Eze' } },
      { op: 'add', value: { name: { familyName: 'Eze' } } },
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', value: 'Eze' },
    ] as const) {
      expect(patchUser(operation).name, JSON.stringify(operation)).toEqual({ givenname: 'Ada', familyname: 'Eze' });
    }
  });

  test('of Entra ID sets a work address that is there or not, and reads text as a truth value later', () => {
    const path = 'emails[type eq "work"].value';
    expect(patchUser({ op: 'replace', path, value: 'a.obi@example.com' }).emails).toEqual([
      { value: 'a.obi@example.com', type: 'work', primary: true },
    ]);
    expect(patchUser({ op: 'add', path: 'emails[type eq "home"].value', value: 'ada@home.example' }).emails).toEqual([
      ...ADA.emails,
      { type: 'home', value: 'ada@home.example' },
    ]);
    expect(patchUser({ op: 'replace', path: 'active', value: 'False' }).active).toBe('False');
  });

  test('of Okta sets attributes by an object that repeats the id', () => {
    expect(patchUser({ op: 'replace', value: { id: 'x', active: false } })).toMatchObject({ active: false });
  });

  test('has one primary address', () => {
    const value = [{ value: 'obi@example.com', primary: true }];
    expect(patchUser({ op: 'add', path: 'emails', value }).emails).toEqual([
      { value: 'ada@example.com', type: 'work', primary: false },
      ...value,
    ]);
  });

  test('ignores what is not kept, also of extensions', () => {
    const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
    expect(
      patchUser(
        { op: 'add', path: department, value: 'Finance' },
        { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '+2348000000000' },
        { op: 'replace', value: { title: 'Cashier', [department]: 'Finance' } },
      ),
    ).toEqual(ADA);
  });

  test('names what is wrong with an operation', () => {
    expect(refusalOf(() => patchUser({ op: 'remove' }))).toBe('noTarget');
    expect(refusalOf(() => patchUser({ op: 'replace', path: 'shoeSize', value: 4 }))).toBe('invalidPath');
    expect(refusalOf(() => patchUser({ op: 'replace', path: 'userName.first', value: 'a' }))).toBe('invalidPath');
    expect(refusalOf(() => patchUser({ op: 'replace', path: 'id', value: 'a' }))).toBe('mutability');
    expect(refusalOf(() => patchUser({ op: 'replace', path: 'groups', value: [] }))).toBe('mutability');
    expect(refusalOf(() => patchUser({ op: 'add', value: 'a' }))).toBe('invalidValue');
    expect(refusalOf(() => patchUser({ op: 'add', path: 'emails[type ne "work"].value', value: 'a' }))).toBe('invalidFilter');
  });

  test('reaches no property of the language', () => {
    for (const path of ['__proto__.polluted', 'constructor', 'name.__proto__', 'emails[type eq "work"].__proto__']) {
      refusalOf(() => patchUser({ op: 'replace', path, value: { polluted: true } }));
    }
    refusalOf(() => patchUser({ op: 'replace', value: JSON.parse('{"__proto__": {"polluted": true}}') }));
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });
});

describe('PATCH of the members of a group, RFC 7644 section 3.5.2', () => {
  test('adds each once', () => {
    expect(patchGroup(['a'], { op: 'add', path: 'members', value: members('a', 'b') })).toEqual(members('a', 'b'));
    expect(patchGroup([], { op: 'add', value: { members: members('b') } })).toEqual(members('b'));
  });

  test('removes by a selection, by a list, and all', () => {
    expect(patchGroup(['a', 'b'], { op: 'remove', path: 'members[value eq "a"]' })).toEqual(members('b'));
    expect(patchGroup(['a', 'b'], { op: 'remove', path: 'members', value: members('b') })).toEqual(members('a'));
    expect(patchGroup(['a', 'b'], { op: 'remove', path: 'members' })).toEqual([]);
    expect(patchGroup(['a', 'b'], { op: 'remove', path: 'members', value: [] })).toEqual(members('a', 'b'));
  });

  test('replaces them', () => {
    expect(patchGroup(['a', 'b'], { op: 'replace', path: 'members', value: members('c') })).toEqual(members('c'));
  });
});

describe('a filter, RFC 7644 section 3.4.2.2', () => {
  test('compares for equality, joined by and', () => {
    expect(parseFilter('userName eq "Ada \\"A\\" Obi"')).toEqual([{ attribute: 'username', value: 'Ada "A" Obi' }]);
    expect(parseFilter('USERNAME EQ "a" and active eq true')).toEqual([
      { attribute: 'username', value: 'a' },
      { attribute: 'active', value: true },
    ]);
    expect(parseFilter('emails[type eq "work"].value eq "a@b.c"')).toEqual([{ attribute: 'emails.value', value: 'a@b.c' }]);
    expect(parseFilter('id eq "g" and members[value eq "u"]')).toEqual([
      { attribute: 'id', value: 'g' },
      { attribute: 'members.value', value: 'u' },
    ]);
    expect(parseFilter('urn:ietf:params:scim:schemas:core:2.0:User:externalId eq "7"')).toEqual([
      { attribute: 'externalid', value: '7' },
    ]);
  });

  test('of another form is none', () => {
    for (const text of [
      '',
      'userName',
      'userName co "a"',
      'userName eq "a" or userName eq "b"',
      'userName eq "a',
      'userName eq a',
    ]) {
      expect(parseFilter(text), text).toBeNull();
    }
    expect(parseFilter(`userName eq "${'a'.repeat(2_000)}"`)).toBeNull();
  });
});

import {
  type A_Expr,
  type InsertStmt,
  type Node,
  parseSync,
  type RangeFunction,
  type RangeVar,
  type SelectStmt,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query';

/** How far a statement confines a distributed table: to the rows of one merchant, of those it is given as input, or of all. */
export type TenantScope = 'one merchant' | 'merchants of the input' | 'all merchants';

export interface CalledFunction {
  readonly name: string;
  readonly withColumns: boolean;
}

/** Effects of a statement that matter to a database that is sharded by merchant. */
export interface StatementShape {
  readonly verb: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
  /** Every table it names, once for each time. */
  readonly tables: readonly { readonly table: string; readonly isWritten: boolean; readonly tenantScope: TenantScope }[];
  /** Different merchants among its values. */
  readonly merchantCount: number;
  readonly locksRows: boolean;
  readonly conflictTargets: readonly { readonly table: string; readonly columns: readonly string[] }[];
  /** Called by an UPDATE, or in a condition of a DELETE. */
  readonly modifyingFunctions: readonly CalledFunction[];
  /** An INSERT of rows one of whose values is a query. */
  readonly insertsSubquery: boolean;
}

/** Tables with their columns, and the column by which each is distributed, if it is. */
export interface TableColumns {
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  readonly distributedBy: ReadonlyMap<string, string>;
}

/** A column of one relation of a statement, or a value. Terms that a statement demands to be equal are in one class. */
type Term = string;
type Resolve = (column: string) => Term | undefined;

interface Output {
  readonly resolve: Resolve;
  readonly ordered: readonly (Term | undefined)[];
}

interface Scope {
  readonly relations: Map<string, Resolve>;
  readonly outer: Scope | null;
  readonly ctes: ReadonlyMap<string, Output>;
  /** True if a row is left out when a condition here is not met: not so inside OR and NOT. */
  readonly decisive: boolean;
}

/** Undefined for what is no query, such as BEGIN. Throws when PostgreSQL's parser refuses the text. */
export function statementShape(text: string, values: readonly unknown[], tables: TableColumns): StatementShape | undefined {
  const node = parseSync(text).stmts?.[0]?.stmt;
  const verb = node === undefined ? undefined : verbOf(node);
  if (node === undefined || verb === undefined) return undefined;
  return new ShapeReader(values, tables).read(node, verb);
}

function verbOf(node: Node): StatementShape['verb'] | undefined {
  if ('SelectStmt' in node) return 'SELECT';
  if ('InsertStmt' in node) return 'INSERT';
  if ('UpdateStmt' in node) return 'UPDATE';
  return 'DeleteStmt' in node ? 'DELETE' : undefined;
}

class ShapeReader {
  private readonly parents = new Map<Term, Term>();
  private readonly values: readonly unknown[];
  private readonly known: TableColumns;
  private readonly tables: { table: string; isWritten: boolean; term: Term | undefined }[] = [];
  private readonly conflictTargets: { table: string; columns: string[] }[] = [];
  private readonly functions: CalledFunction[] = [];
  private locksRows = false;
  private insertsSubquery = false;
  private relationCount = 0;

  constructor(values: readonly unknown[], known: TableColumns) {
    this.values = values;
    this.known = known;
  }

  read(node: Node, verb: StatementShape['verb']): StatementShape {
    this.query(node, { relations: new Map(), outer: null, ctes: new Map(), decisive: true });
    const merchants = new Set<Term>();
    const classes = Map.groupBy(this.parents.keys(), (term) => this.find(term));
    const tenantScopeOf = (term: Term | undefined): TenantScope => {
      const equals = term === undefined ? [] : (classes.get(this.find(term)) ?? []);
      const found = equals.filter((equal) => equal.startsWith('value:'));
      for (const value of found) merchants.add(value);
      if (found.length > 0) return 'one merchant';
      return equals.some((equal) => equal.startsWith('input:')) ? 'merchants of the input' : 'all merchants';
    };
    const tables = this.tables.map(({ table, isWritten, term }) => ({ table, isWritten, tenantScope: tenantScopeOf(term) }));
    return {
      verb,
      tables,
      merchantCount: merchants.size,
      locksRows: this.locksRows,
      conflictTargets: this.conflictTargets,
      modifyingFunctions: this.functions,
      insertsSubquery: this.insertsSubquery,
    };
  }

  private find(term: Term): Term {
    let root = term;
    for (let parent = this.parents.get(root); parent !== undefined && parent !== root; parent = this.parents.get(root))
      root = parent;
    return root;
  }

  private equate(one: Term | undefined, other: Term | undefined, decisive = true): void {
    if (one === undefined || other === undefined) return;
    if (!decisive && (one.startsWith('value:') || other.startsWith('value:'))) return;
    for (const term of [one, other]) if (!this.parents.has(term)) this.parents.set(term, term);
    this.parents.set(this.find(one), this.find(other));
  }

  private query(node: Node, outer: Scope): Output {
    if ('SelectStmt' in node) return this.select(node.SelectStmt, outer);
    if ('InsertStmt' in node) return this.insert(node.InsertStmt, outer);
    if ('UpdateStmt' in node) return this.modify(node.UpdateStmt, outer, node.UpdateStmt.fromClause);
    if ('DeleteStmt' in node) return this.modify(node.DeleteStmt, outer, node.DeleteStmt.usingClause);
    return { resolve: () => undefined, ordered: [] };
  }

  private open(outer: Scope, withClause: WithClause | undefined): Scope {
    const ctes = new Map(outer.ctes);
    const scope: Scope = { relations: new Map(), outer, ctes, decisive: outer.decisive };
    for (const cte of withClause?.ctes ?? []) {
      if (!('CommonTableExpr' in cte)) continue;
      const { ctename, ctequery } = cte.CommonTableExpr;
      // Rows that a CTE selects are not left out by conditions around it: its own conditions always count.
      if (ctename !== undefined && ctequery !== undefined) ctes.set(ctename, this.query(ctequery, { ...scope, decisive: true }));
    }
    return scope;
  }

  private select(select: SelectStmt, outer: Scope): Output {
    const scope = this.open(outer, select.withClause);
    if (select.lockingClause !== undefined) this.locksRows = true;
    if (select.larg !== undefined && select.rarg !== undefined) {
      const left = this.select(select.larg, scope);
      const right = this.select(select.rarg, scope);
      const same = (one: Term | undefined, other: Term | undefined) => (one === other ? one : undefined);
      return {
        resolve: (column) => same(left.resolve(column), right.resolve(column)),
        ordered: left.ordered.map((term, index) => same(term, right.ordered[index])),
      };
    }
    for (const item of select.fromClause ?? []) this.from(item, scope);
    this.condition(select.whereClause, scope);
    const { whereClause: _where, fromClause: _from, withClause: _with, lockingClause: _locking, ...others } = select;
    this.nested(others, scope);
    return this.output(select.targetList ?? [], scope);
  }

  private insert(insert: InsertStmt, outer: Scope): Output {
    const scope = this.open(outer, insert.withClause);
    const resolve = this.table(insert.relation, scope, true);
    const columns = (insert.cols ?? []).map((column) => ('ResTarget' in column ? (column.ResTarget.name ?? '') : ''));
    const select =
      insert.selectStmt !== undefined && 'SelectStmt' in insert.selectStmt ? insert.selectStmt.SelectStmt : undefined;
    if (select?.valuesLists !== undefined) {
      const rows = select.valuesLists.map((row) => ('List' in row ? (row.List.items ?? []) : []));
      this.insertsSubquery ||= JSON.stringify(rows).includes('"SubLink"');
      for (const [index, column] of columns.entries()) {
        const terms = new Set(rows.map((row) => this.term(row[index], scope)));
        const [only] = terms;
        if (terms.size === 1) this.equate(resolve(column), only);
      }
    } else if (select !== undefined) {
      const { ordered } = this.select(select, { ...scope, relations: new Map() });
      for (const [index, column] of columns.entries()) this.equate(resolve(column), ordered[index]);
    }
    const { onConflictClause, relation } = insert;
    if (onConflictClause?.infer !== undefined) {
      const targets = (onConflictClause.infer.indexElems ?? []).map((item) =>
        'IndexElem' in item ? (item.IndexElem.name ?? '') : '',
      );
      this.conflictTargets.push({ table: relation?.relname ?? '', columns: targets });
    }
    this.calls([onConflictClause?.targetList, onConflictClause?.whereClause]);
    return this.output(insert.returningClause?.exprs ?? [], scope);
  }

  private modify(statement: UpdateStmt, outer: Scope, from: readonly Node[] | undefined): Output {
    const scope = this.open(outer, statement.withClause);
    this.table(statement.relation, scope, true);
    for (const item of from ?? []) this.from(item, scope);
    this.condition(statement.whereClause, scope);
    this.nested(statement.targetList, scope);
    this.calls([statement.targetList, statement.whereClause]);
    return this.output(statement.returningClause?.exprs ?? [], scope);
  }

  private from(node: Node, scope: Scope): void {
    if ('RangeVar' in node) this.table(node.RangeVar, scope);
    else if ('RangeFunction' in node) this.functionScan(node.RangeFunction, scope);
    else if ('RangeSubselect' in node) {
      const { subquery, alias } = node.RangeSubselect;
      if (subquery !== undefined) scope.relations.set(alias?.aliasname ?? '', this.query(subquery, scope).resolve);
    } else if ('JoinExpr' in node) {
      const { larg, rarg, usingClause, quals } = node.JoinExpr;
      const before = new Set(scope.relations.keys());
      if (larg !== undefined) this.from(larg, scope);
      const left = [...scope.relations.entries()].filter(([name]) => !before.has(name)).map(([, resolve]) => resolve);
      if (rarg !== undefined) this.from(rarg, scope);
      const right = [...scope.relations.values()].at(-1);
      for (const column of textsOf(usingClause)) for (const resolve of left) this.equate(resolve(column), right?.(column));
      this.condition(quals, scope);
    }
  }

  private table(range: RangeVar | undefined, scope: Scope, isWritten = false): Resolve {
    const name = range?.relname ?? '';
    const alias = range?.alias?.aliasname ?? name;
    const cte = range?.schemaname === undefined && !isWritten ? scope.ctes.get(name) : undefined;
    const resolve = cte?.resolve ?? this.newTable(name, isWritten);
    scope.relations.set(alias, resolve);
    return resolve;
  }

  private newTable(table: string, isWritten: boolean): Resolve {
    const id = ++this.relationCount;
    const columns = this.known.columns.get(table);
    const resolve: Resolve = (column) => (columns?.has(column) === true ? `table:${id}.${column}` : undefined);
    const by = this.known.distributedBy.get(table);
    this.tables.push({ table, isWritten, term: by === undefined ? undefined : resolve(by) });
    return resolve;
  }

  private functionScan({ alias, coldeflist }: RangeFunction, scope: Scope): void {
    const id = ++this.relationCount;
    const defined = (coldeflist ?? []).flatMap((column) => ('ColumnDef' in column ? [column.ColumnDef.colname ?? ''] : []));
    const columns = new Set([...textsOf(alias?.colnames), ...defined]);
    scope.relations.set(alias?.aliasname ?? `function ${id}`, (column) =>
      columns.has(column) ? `input:${id}.${column}` : undefined,
    );
  }

  private output(targets: readonly Node[], scope: Scope): Output {
    const named = new Map<string, Term | undefined>();
    const stars: Resolve[] = [];
    const ordered = targets.map((target) => {
      const { name, val } = 'ResTarget' in target ? target.ResTarget : {};
      if (val === undefined) return undefined;
      const fields = 'ColumnRef' in val ? textsOf(val.ColumnRef.fields) : [];
      if ('ColumnRef' in val && (val.ColumnRef.fields ?? []).some((field) => 'A_Star' in field)) {
        const of = fields.at(-1);
        stars.push(...(of === undefined ? scope.relations.values() : [scope.relations.get(of) ?? (() => undefined)]));
        return undefined;
      }
      const term = this.term(val, scope);
      named.set(name ?? fields.at(-1) ?? '', term);
      return term;
    });
    const resolve: Resolve = (column) =>
      named.has(column) ? named.get(column) : stars.map((star) => star(column)).find((term) => term !== undefined);
    return { resolve, ordered };
  }

  private condition(node: Node | undefined, scope: Scope): void {
    if (node === undefined) return;
    if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
      for (const each of node.BoolExpr.args ?? []) this.condition(each, scope);
    } else if ('A_Expr' in node) this.comparison(node.A_Expr, scope);
    else if ('SubLink' in node) this.subLink(node, scope);
    else this.nested(node, { ...scope, decisive: false });
  }

  private comparison(expression: A_Expr, scope: Scope): void {
    const { kind, lexpr, rexpr } = expression;
    const [operator] = textsOf(expression.name);
    if (operator === '=' && kind === 'AEXPR_OP') {
      const left = this.termsOf(lexpr, scope);
      const right = this.termsOf(rexpr, scope);
      for (const [index, term] of left.entries()) this.equate(term, right[index], scope.decisive);
    } else if (operator === '=' && (kind === 'AEXPR_IN' || kind === 'AEXPR_OP_ANY')) {
      const items = new Set(kind === 'AEXPR_IN' ? this.termsOf(rexpr, scope) : this.elements(rexpr));
      const [only] = items;
      if (items.size === 1) this.equate(this.term(lexpr, scope), only, scope.decisive);
    }
    this.nested([lexpr, rexpr], { ...scope, decisive: false });
  }

  private subLink(node: Extract<Node, { SubLink: unknown }>, scope: Scope): void {
    const { subLinkType, testexpr, subselect } = node.SubLink;
    if (subselect === undefined) return;
    const output = this.query(subselect, scope);
    if (subLinkType !== 'ANY_SUBLINK') return;
    for (const [index, term] of this.termsOf(testexpr, scope).entries()) this.equate(term, output.ordered[index], scope.decisive);
  }

  /** Reads the queries inside expressions. */
  private nested(tree: unknown, scope: Scope): void {
    if (Array.isArray(tree)) for (const each of tree) this.nested(each, scope);
    else if (isSubLink(tree))
      this.subLink(tree, { ...scope, decisive: scope.decisive && tree.SubLink.subLinkType === 'EXPR_SUBLINK' });
    else if (typeof tree === 'object' && tree !== null) this.nested(Object.values(tree), scope);
  }

  private calls(tree: unknown): void {
    if (Array.isArray(tree)) for (const each of tree) this.calls(each);
    else if (typeof tree === 'object' && tree !== null) {
      if (isCall(tree)) {
        const name = textsOf(tree.FuncCall.funcname).at(-1) ?? '';
        this.functions.push({ name, withColumns: JSON.stringify(tree.FuncCall.args ?? []).includes('"ColumnRef"') });
      }
      for (const each of Object.values(tree)) this.calls(each);
    }
  }

  private termsOf(node: Node | undefined, scope: Scope): (Term | undefined)[] {
    if (node === undefined) return [];
    if ('RowExpr' in node) return (node.RowExpr.args ?? []).map((each) => this.term(each, scope));
    if ('List' in node) return (node.List.items ?? []).map((each) => this.term(each, scope));
    return [this.term(node, scope)];
  }

  private term(node: Node | undefined, scope: Scope): Term | undefined {
    if (node === undefined) return undefined;
    if ('TypeCast' in node) return this.term(node.TypeCast.arg, scope);
    if ('ParamRef' in node) return valueTerm(this.values[(node.ParamRef.number ?? 0) - 1]);
    if ('A_Const' in node) return node.A_Const.sval === undefined ? undefined : valueTerm(node.A_Const.sval.sval);
    return 'ColumnRef' in node ? resolveColumn(textsOf(node.ColumnRef.fields), scope) : undefined;
  }

  private elements(node: Node | undefined): (Term | undefined)[] {
    if (node === undefined) return [];
    if ('TypeCast' in node) return this.elements(node.TypeCast.arg);
    const value = 'ParamRef' in node ? this.values[(node.ParamRef.number ?? 0) - 1] : undefined;
    return Array.isArray(value) ? value.map(valueTerm) : [];
  }
}

function resolveColumn(path: readonly string[], scope: Scope): Term | undefined {
  const column = path.at(-1) ?? '';
  const relation = path.at(-2);
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const candidates = relation === undefined ? [...at.relations.values()] : [at.relations.get(relation)];
    for (const resolve of candidates) {
      const term = resolve?.(column);
      if (term !== undefined) return term;
    }
    if (relation !== undefined && at.relations.has(relation)) return undefined;
  }
  return undefined;
}

function valueTerm(value: unknown): Term | undefined {
  return value === null || value === undefined ? undefined : `value:${String(value)}`;
}

function textsOf(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []));
}

function isSubLink(tree: unknown): tree is Extract<Node, { SubLink: unknown }> {
  return typeof tree === 'object' && tree !== null && 'SubLink' in tree;
}

function isCall(tree: object): tree is Extract<Node, { FuncCall: unknown }> {
  return 'FuncCall' in tree;
}

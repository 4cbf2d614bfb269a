/** A board as code. It is made or brought up to date with each deployment, and never deleted by one. */
import type { CustomResource } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Column } from './column.ts';
import type { Setup } from './setup.ts';

export interface BoardProps {
  /**
   * What the board is called in addresses. Another slug is another board.
   * @default - the construct's id, in small letters
   */
  readonly slug?: string;
  /**
   * What people see.
   * @default - the construct's id
   */
  readonly name?: string;
  /** In order. Columns and contracts that are not here stay as people have made them. */
  readonly columns: readonly Column[];
}

export class Board extends Construct {
  readonly slug: string;
  readonly boardId: string;
  /** For what needs the board to be there. */
  readonly resource: CustomResource;
  private readonly columns: readonly Column[];

  constructor(scope: Construct, id: string, setup: Setup, props: BoardProps) {
    super(scope, id);
    this.slug = props.slug ?? id.toLowerCase();
    this.columns = props.columns;
    const columns = props.columns.map(({ code }) => code);
    const code = { slug: this.slug, name: props.name ?? id, columns };
    this.resource = setup.apply(this, 'Resource', 'board', code);
    this.boardId = this.resource.ref;
  }

  /**
   * Id of one of the columns, for a worker's environment.
   * @throws Error for a column that the board was not given.
   */
  columnId(column: Column): string {
    const at = this.columns.indexOf(column);
    if (at < 0) throw new Error(`The board '${this.slug}' was given no column '${column.name}'.`);
    return this.resource.getAttString(`Column${at}`);
  }
}

/** The official client's own validator, each schema compiled once for all clients of a test file: cards' take long. */
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

class SharedValidator extends AjvJsonSchemaValidator {
  readonly #compiled = new Map<string, JsonSchemaValidator<unknown>>();

  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    const compiled = this.#compiled.get(text) ?? super.getValidator<T>(schema);
    this.#compiled.set(text, compiled);
    return compiled as JsonSchemaValidator<T>;
  }
}

export const sharedValidator = new SharedValidator();

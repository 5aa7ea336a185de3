import type { OpenApiDocument } from '../src/http/openapi/openapi.js';

/** The successful JSON answers of an interface description, without words. */
export function answersOnly(description: OpenApiDocument): Record<string, unknown>;
/** A fingerprint that changes when a type does. */
export function shapeOf(answers: Record<string, unknown>): string;

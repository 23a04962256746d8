/** The AWS clients that our function has on board, so that every cold start loads the same. */
import { createDynamoDbClient, createSecretsManagerClient } from '../../../lib/config/clients.ts';

export const clients = [createDynamoDbClient(), createSecretsManagerClient()];

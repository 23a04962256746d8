/**
 * One file for all pages that a browser opens (the phone, GraphiQL, the merchant's endpoint): a stack and a browser cost
 * more than most of the tests.
 */
import './graphiql.suite.ts';
import './merchant-endpoint.suite.ts';
import './phone-journey.suite.ts';
import './phone-languages.suite.ts';
import './phone-subscription.suite.ts';
import './phone-sign-in.suite.ts';
import './phone-trouble.suite.ts';

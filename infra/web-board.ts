/**
 * The web board of a deployment: its files in a bucket that only CloudFront reads, and the API behind the same name, so
 * that a page calls its own origin and a token goes nowhere else.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage, Duration, Fn, RemovalPolicy, Token, Validations } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
  type BehaviorOptions,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source, type ISource } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { contentSecurityPolicy } from '../web/headers.ts';
import { CONFIG_PATH, DEFAULT_SCOPES, type SignIn, type WebConfig } from '../web/sign-in.ts';
import { acknowledgeBucketDeployment } from './bucket-deployment-rules.ts';
import { boardBuiltAt, PROJECT_ROOT } from './bundling.ts';
import type { Leaseboard } from './leaseboard.ts';

export interface WebBoardProps {
  readonly leaseboard: Leaseboard;
  /**
   * ARN of a web ACL (WAF, scope CLOUDFRONT, in us-east-1) that everything under the board's name passes.
   * @default - none
   */
  readonly webAclArn?: string;
  /**
   * Name that the board answers to, which you point at `distribution.distributionDomainName`. Needs `certificate`.
   * @default - a name of CloudFront's
   */
  readonly domainName?: string;
  /**
   * Certificate of `domainName`, in us-east-1, wherever the stack is: CloudFront takes no other.
   * @default - none
   */
  readonly certificate?: ICertificate;
  /**
   * Offers people to sign in with the identity provider that the Leaseboard's `oidcIssuer` names. Register the board
   * there as a public client (authorization code with PKCE) whose id is `oidcAudience`, which may return to
   * `<board>/sign-in`, and let its pages call the provider (CORS).
   * @default - people sign in with tokens
   */
  readonly signIn?: WebBoardSignIn;
}

export interface WebBoardSignIn {
  /** Name of the provider, on the button: "Sign in with …". */
  readonly provider: string;
  /**
   * What is asked for. A provider may tell a person's groups only under a scope of its own.
   * @default ['openid', 'profile', 'email']
   */
  readonly scopes?: readonly string[];
  /**
   * Origin of the provider's token endpoint: of Cognito `https://<domain>.auth.<region>.amazoncognito.com`.
   * @default - the issuer's
   */
  readonly tokenOrigin?: string;
}

/** What is not the board's is the API's: these paths and all below them. */
const API_PATHS = ['/v1/*', '/mcp', '/mcp/*', '/healthz', '/.well-known/*'];
/** A file's name changes with its content; the page that names the files is asked for each time. */
const FILE_LIFE = Duration.days(365);
const TRANSPORT_SECURITY = Duration.days(365);

/** Each address of the board is the same document, which reads its own address. */
const ONE_PAGE = `function handler(event) {
  var request = event.request;
  var file = request.uri.indexOf('/assets/') === 0 || request.uri === '/favicon.svg' || request.uri === '${CONFIG_PATH}';
  if (!file) request.uri = '/index.html';
  return request;
}`;

export class WebBoard extends Construct {
  /** Address of the board, without a trailing slash. */
  readonly url: string;
  readonly bucket: Bucket;
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, props: WebBoardProps) {
    super(scope, id);
    const signIn = signInOf(props);
    // Nothing in it is anybody's work: the next deployment writes it again.
    this.bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    this.distribution = this.distributionFor(props, signIn);
    this.deploy(signIn);
    this.url = `https://${props.domainName ?? this.distribution.distributionDomainName}`;
    this.acknowledge(props);
  }

  private distributionFor(props: WebBoardProps, signIn: SignIn | null): Distribution {
    const { leaseboard, webAclArn } = props;
    const api = this.apiBehavior(leaseboard);
    return new Distribution(this, 'Distribution', {
      comment: 'Leaseboard: the board people watch',
      webAclId: webAclArn,
      ...nameOf(props),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.bucket),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        responseHeadersPolicy: this.headers([leaseboard.attachments.url, ...originsOf(signIn)]),
        functionAssociations: [{ function: this.onePage(), eventType: FunctionEventType.VIEWER_REQUEST }],
      },
      additionalBehaviors: Object.fromEntries(API_PATHS.map((path) => [path, api])),
    });
  }

  /** Never cached, and every header is passed on but Host, which names the API. */
  private apiBehavior(leaseboard: Leaseboard): BehaviorOptions {
    const host = Fn.select(2, Fn.split('/', leaseboard.apiUrl));
    return {
      origin: new HttpOrigin(host),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    };
  }

  private headers(others: readonly string[]): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: contentSecurityPolicy(others),
          override: true,
        },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: TRANSPORT_SECURITY, override: true },
      },
    });
  }

  private onePage(): EdgeFunction {
    return new EdgeFunction(this, 'OnePage', {
      code: FunctionCode.fromInline(ONE_PAGE),
      runtime: FunctionRuntime.JS_2_0,
    });
  }

  /** Old files stay: a page that is open since before a deployment may still ask for them. */
  private deploy(signIn: SignIn | null): void {
    const common = { destinationBucket: this.bucket, prune: false };
    const config: WebConfig = { sign_in: signIn };
    new BucketDeployment(this, 'Assets', {
      ...common,
      sources: [builtFiles()],
      exclude: ['index.html'],
      cacheControl: [CacheControl.maxAge(FILE_LIFE), CacheControl.immutable()],
    });
    const page = new BucketDeployment(this, 'Page', {
      ...common,
      sources: [builtFiles(), Source.jsonData(CONFIG_PATH.slice(1), config)],
      exclude: ['assets/*', 'favicon.svg'],
      cacheControl: [CacheControl.noCache()],
    });
    // The page names the assets, so they have to be there first.
    page.node.addDependency(this.node.findChild('Assets'));
  }

  private acknowledge({ certificate }: WebBoardProps): void {
    acknowledgeBucketDeployment(this.bucket);
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason: 'It holds the files of the board, which are the same for everybody; the API logs who calls it.',
    });
    const reasons = {
      CFR1: 'Agents and people are anywhere.',
      CFR2: 'The API has its own throttle; a firewall is given with `webAclArn`.',
      CFR3: 'The API logs every call; the files are the same for everybody.',
      ...(certificate === undefined && {
        CFR4: 'CloudFront’s own certificate decides the least version of TLS.',
      }),
    };
    for (const [rule, reason] of Object.entries(reasons)) {
      Validations.of(this.distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
    }
  }
}

/** @throws Error when one is given without the other. */
function nameOf({ domainName, certificate }: WebBoardProps) {
  if (domainName === undefined && certificate === undefined) return {};
  if (domainName === undefined || certificate === undefined) {
    throw new Error('domainName and certificate of the board go together: give both, or neither.');
  }
  const minimumProtocolVersion = SecurityPolicyProtocol.TLS_V1_2_2021;
  return { domainNames: [domainName], certificate, minimumProtocolVersion };
}

/** @throws Error when the Leaseboard takes nobody's identity tokens. */
function signInOf({ leaseboard, signIn }: WebBoardProps): SignIn | null {
  if (signIn === undefined) return null;
  if (leaseboard.oidc === null) {
    throw new Error(
      'signIn sends people to the identity provider of the Leaseboard: give it oidcIssuer and oidcAudience.',
    );
  }
  const { provider, scopes = DEFAULT_SCOPES, tokenOrigin = null } = signIn;
  const { issuer, audience } = leaseboard.oidc;
  return { provider, issuer, client_id: audience, scopes, token_origin: tokenOrigin };
}

/** What a page calls to sign somebody in. An issuer that another stack makes is known only as that is deployed. */
function originsOf(signIn: SignIn | null): readonly string[] {
  if (signIn === null) return [];
  const { issuer, token_origin } = signIn;
  const origin = Token.isUnresolved(issuer)
    ? `https://${Fn.select(2, Fn.split('/', issuer))}`
    : new URL(issuer).origin;
  return token_origin === null ? [origin] : [origin, token_origin];
}

/**
 * In the published package the files lie beside this library; in a checkout they are built as the stack is synthesized.
 * Both by the same build as the local server's.
 */
function builtFiles(): ISource {
  if (existsSync(boardBuiltAt())) return Source.asset(boardBuiltAt());
  return Source.asset(join(PROJECT_ROOT, 'web'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the build needs nothing but this process' own Node.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (directory) => {
          execFileSync(process.execPath, [join(PROJECT_ROOT, 'web/write.ts'), directory], {
            stdio: 'inherit',
          });
          return true;
        },
      },
    },
  });
}

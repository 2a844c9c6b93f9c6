-- A database as askuser 0.1.0 wrote it (schema 4). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE ask (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing IN (0, 1, 2)),
    state TEXT NOT NULL,
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT
) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1E2DDFFA770008500AC84CA547CBD',1,'local',1,1,1,'closed',NULL,NULL,4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794807562287,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1E2DE00A77000B50A908446DC13CE',1,'local',2,1,1,'closed',NULL,NULL,7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794807562648,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1E2DE01D87000A39B99CA844A0F5D',1,'local',3,1,2,'completed',1794807563712,NULL,10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794807563721,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1E2DE060A7000A20386DE286626A1',2,'local',1,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1E2DE065670008074AC923BED83B2',1,'local',4,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDVZX7E008A05CGK558Z5X","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794807562151,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW057E00BA2MGGH3DR4YE","owner":"local","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"62b0e06ba2b57a0059fafafc143eb32d","asked_at":1794807562407,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW0ERE00A76WSSA24M3TX","owner":"local","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"reply_in":"full"},"fingerprint":"1b3de9c6e16293ad210aa578b796a495","asked_at":1794807562712,"deadline":1794807563712,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7HDW1GAE00R0V25S2ATKTY8","ask":"ask_01M7HDW1GAE00A40W6VRM6C9N1","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794807563786,"state":"pending","reopens":"ask_01M7HDVZX7E008A05CGK558Z5X"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW1JPE0080X5CJ8XYV0XJ","owner":"local","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"b810e0db75629152e4949a7258948671","asked_at":1794807563862,"state":"pending"}');
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;
INSERT INTO "ask_question" VALUES(1,'q1',1);
INSERT INTO "ask_question" VALUES(1,'q2',2);
INSERT INTO "ask_question" VALUES(1,'q3',3);
INSERT INTO "ask_question" VALUES(1,'q5',5);
INSERT INTO "ask_question" VALUES(2,'q1',4);
CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "fact" (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO "fact" VALUES(1,1794807562151,'session_opened',1,NULL,NULL,X'9D0BCF351CFA17A993D0DE4B05DA50DB',X'FBE8B754B977655E38CFA8F12311477C6150CA30FDC6CCCE3A136B37056AE9B3',X'4E63D6BB95707638950B3053E8890C1CBAFC6E6CC9215EB218B73F1187CBF10F','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1794807562151,"last_activity":1794807562151}');
INSERT INTO "fact" VALUES(2,1794807562151,'asked',1,1,1,X'4C47852CF038A5308DC1795D9878A29A',X'4EFD7F87060D4B3E75DAC34C78C699A9FF42704E209629DB00183ED6105E89BD',X'05687AEFA53A7BAFEAB648A88D607E67FCC5C669E21F2B317E8D1BCBFEE74328',NULL);
INSERT INTO "fact" VALUES(3,1794807562151,'shown',1,2,1,X'E149D181C7F7A0EC8A00E033DEC99588',X'FF652BE9191D8CDC576E3CF732B31514904675B7B2E6A6EB3C48DC1990458E47',X'A207E4EBC82A7169F95581C2FB190B95A4265CE1BA66BA8DE0C16B1E26FB7BC7','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDVZX7E008A05CGK558Z5X"}');
INSERT INTO "fact" VALUES(4,1794807562287,'closed',1,3,1,X'173CEC2B1C8446EC6C82C25120A5E64B',X'BF921B9B35DAB0CBD350BB510AD71EA3F51B3605146F8EE074DCB0CBADD13D41',X'EEB6188DF64BEE4BC5022BAFC0F4F0AC549ADE0709F662D575CC5DE38B2E931C','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDVZX7E008A05CGK558Z5X","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794807562287,"answers":[{"question":"q1","picked":["a"]}]}}');
INSERT INTO "fact" VALUES(5,1794807562407,'asked',1,4,2,X'E86E0C113B14FD1A0B9D11AB9B7140F4',X'300ACAC94D4CC9FCB8DAFD4EF1BD766651B415BBACDB14E58C79C53A1896EFAE',X'B1AAD23A3AE06879B71F24A81AC94C6901119CE3C04100928C2B7A8FD580C130',NULL);
INSERT INTO "fact" VALUES(6,1794807562407,'shown',1,5,2,X'DF1B7DBA275B264529CF78E63FA7CF77',X'E4AE88ED121887310B1B4392C043CBA1BEAC151836CD473E960467778FA7807A',X'A96ACD13AFBA178650E54A59CD8B8BFF5EA14FE46BFE6391EE8EAC39E9B667E0','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW057E00BA2MGGH3DR4YE"}');
INSERT INTO "fact" VALUES(7,1794807562648,'closed',1,6,2,X'CB8877F2AA8A0F76111DD3B341326AC1',X'02A8EE4CADEAFEB7056F3CC0746A53B33434CE17D917156B9CF1A739F8A8A0F8',X'F46DB8FA2B705F5437B431C99E666CF12EF7BF96BFC83F7C2E58C92ECC66E573','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW057E00BA2MGGH3DR4YE","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794807562648,"comment":"not now","answers":[{"question":"q2","skipped":true}]}}');
INSERT INTO "fact" VALUES(8,1794807562712,'asked',1,7,3,X'6910D9337A08A2EE267C7C117B184CEB',X'D774ECD48DD923DF9EEFAB4A2D647209611E2D54A619D2B0058FB7304E8637B0',X'978DF616012039218E35D3CB35F780B80AE468027E86FA24F4148093345D72DC',NULL);
INSERT INTO "fact" VALUES(9,1794807562712,'shown',1,8,3,X'3F4B7FD6346EF107DBA699050532328C',X'211DA71D15BFE87645CFD6F5C3C8FC45FA1729C22B10A9946F76410EA78C4173',X'90ADB4611650BCE5C01FD229D9BCF51FA68D47AE7EF123FD38C359B2B353004E','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW0ERE00A76WSSA24M3TX"}');
INSERT INTO "fact" VALUES(10,1794807563721,'closed',1,9,3,X'94759CD1E81F2DBC9C10A7C55702DF05',X'188C5850B6D7C4FAEB1DE6A51D89C47E6C7FB638A510E99FEB3E0448CB62F354',X'41C45F276E5AA828979DE747C190B02279AC579D85BA53EDCAD4D17CFDC4D307','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW0ERE00A76WSSA24M3TX","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794807563721,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1794807563737,'delivered',1,10,3,X'8F5D88526106685F7C29166AF913E357',X'B437EE24607521A1133A6E2486EE82FF33AC94A20D035817A6A7FA9EFFE24DE9',X'383564D43722AF5B48C7AA8F2169815020E139F2640C56526B145D5067229601','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW0ERE00A76WSSA24M3TX"}');
INSERT INTO "fact" VALUES(12,1794807563737,'acknowledged',1,11,3,X'17BC9E67358A3DCEB5AD49681F5FEBE2',X'7E2BC6A188E521AE1A78CD92C16C32CE17D09A7E79AC90109AE24998F82EAF22',X'0E52058EE56C625C18D9A21EDC13BEA0B14F2928A325904926112ADBC82A2B07','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW0ERE00A76WSSA24M3TX"}');
INSERT INTO "fact" VALUES(13,1794807563786,'session_opened',2,NULL,NULL,X'356729AECC4268E1ED9BADB573B74085',X'B61BFA82669BD7FD86C0226472E430C67CFD911EAB90820779FA57FDF7918467',X'9C5F4DEBD0E05173E9EF631DBB0ACFCAE9C7E3E460769224B765F964A193A816','{"session":"ses_01M7HDW1GAE00R0V25S2ATKTY8","owner":"local","origin":{"restored":"ses_01M7HDVZX7E00SFGJCQNY113KF"},"status":"active","round":0,"created_at":1794807563786,"last_activity":1794807563786}');
INSERT INTO "fact" VALUES(14,1794807563786,'asked',2,13,4,X'5E6E9DEC061C60B2F5B19297BB00B674',X'1BFD657595649270FF678A99AFA1E41E649C1CCBA2404CF8FE7E7FEBC64C7853',X'54BE0BAE3BF67D3D77618D6AF9FBD0EBA43BC34E824D60F21C5B82C586D137F9',NULL);
INSERT INTO "fact" VALUES(15,1794807563786,'shown',2,14,4,X'D9DDC7CA5CB623E00EF2A51BF4FDA3D9',X'D8223043FCF72C00049C29E0723FF07E5D2AAB147D50EE889FD7512263386190',X'C19269028DCC1E72CF2BA701BCAE474BB2E61A7A1B870C0415DEA2FF73382A66','{"session":"ses_01M7HDW1GAE00R0V25S2ATKTY8","ask":"ask_01M7HDW1GAE00A40W6VRM6C9N1"}');
INSERT INTO "fact" VALUES(16,1794807563862,'asked',1,12,5,X'F4D220CD682F5C246C0ED1E0D6C3750B',X'9B2E26A992E452AF4B8C477BA985D48D34B47DC09DA73289D69CB134BF78403C',X'CA12BB0F3D729132186B16809FBCC384A1AC57777C6991EE9970D8D52B586B08',NULL);
INSERT INTO "fact" VALUES(17,1794807563862,'shown',1,16,5,X'97386F63EA5BB987AB7D7975B49B2224',X'C8A4743E72E135E11050D177CC3845637FDD7F0A6FE6E3463587EC2932EEEA0C',X'09176240D400D934E75C4D9965CD612AB0905B5647C213A49D08780216ABC0A7','{"session":"ses_01M7HDVZX7E00SFGJCQNY113KF","ask":"ask_01M7HDW1JPE0080X5CJ8XYV0XJ"}');
INSERT INTO "fact" VALUES(18,1794807564239,'session_opened',3,NULL,NULL,X'533AAADE16B8AF329EA7B4F1516A46E5',X'36FBEFA3A70E9354684338A26BC8DF5E5779AB4951A2B2A0F067AE9D00215564',X'85A4DBA4E30CCF793F8CB2929AD26007E117061ED72ED5D5FBBE9C257FD3A439','{"session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","owner":"local","origin":"named","status":"active","round":0,"created_at":1794807564239,"last_activity":1794807564239}');
INSERT INTO "fact" VALUES(19,1794807564239,'task_changed',3,18,NULL,X'865A60F9CCD41544B321CBA9EFC72C5F',X'A94313648859D66AD757BF2E01BF862C655CDA014001614772C84FC2597BACB3',X'65CF6BD0D9616EA9B52EEBDA209ABE6223AF41F9A6F1A5BA5E8FDF4077074D3F','{"session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","by":{"user":"local","channel":"api","proof":"key_file"},"task":{"task":"task_01M7HDW1YFE008AXM9YVTN1T6V","session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"created_at":1794807564239,"changed_at":1794807564239}}');
INSERT INTO "fact" VALUES(20,1794807564239,'said',3,19,NULL,X'7B1737AAB77E45879515427319F10FB9',X'EC0A049E2A032F8BA062FD9A9505C23B90698E33CF3E2F80BBC6E97D9C884434',X'782BBB280F87AAA3516CFC903DA65D2270E457175B6C3B3A3E4430613CC68E3A','{"session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","uuid":"01a1e2de-07cf-7002-b4b4-9b60a7913131","round":0,"at":1794807564239,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(21,1794807564248,'task_changed',3,20,NULL,X'8D0FF1073C6CE238B864D5FB45CC199C',X'61016C8D454EECFBDFCE4C363A11A07E12188F76620FB982E213EC90A334EF1C',X'68954F52BEB9A998A44FE19FDB0B9801F951CD9663B95AC201A3C2B2DD34FB53','{"session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7HDW1YFE008AXM9YVTN1T6V","session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"pid":7421,"pid_started":3488709,"created_at":1794807564239,"changed_at":1794807564248}}');
INSERT INTO "fact" VALUES(22,1794807564256,'said',3,21,NULL,X'B5E553BD6FB5FC131F9ACE90FEAECE5C',X'6CB7FBE153D26E05ACB1400517679662171C6F035E498E7D05A2F5F22CABC00F',X'53D2E6F0BC5A1EFF46A89BF72572B49F3360B6E9C8276899F4AF469AE9B96699','{"session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","uuid":"01a1e2de-07de-7000-a1d5-faaffc7c21a6","parent":"01a1e2de-07cf-7002-b4b4-9b60a7913131","round":0,"at":1794807564256,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(23,1794807564261,'task_changed',3,22,NULL,X'E50BEEB2510BB92EF1B0FF0EF421FDD1',X'8E19678216FCF3865D7FB060DF375338F093F19739272F1596C662722B5DE1F2',X'A791C0D37D4B4E5A4CCB21C7838105E137C69A34AAF6B88593D80AE29FF766B5','{"session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7HDW1YFE008AXM9YVTN1T6V","session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"created_at":1794807564239,"changed_at":1794807564261}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,23,X'A791C0D37D4B4E5A4CCB21C7838105E137C69A34AAF6B88593D80AE29FF766B5');
CREATE TABLE key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    user INTEGER NOT NULL REFERENCES user (n),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "key" VALUES(1,X'01A1E2DDFF7F700088716F72019421F6',X'6BCF1BCEEDDF64DF212A5DE2D0205FFEC92172407E2205C642DF87A0FC09B887','agent',1,'local',1794807562111,NULL);
INSERT INTO "key" VALUES(2,X'01A1E2DDFF85700096E72873665C5034',X'570637438B91F19AF6DD6C952A431AEAA12A48CF3E560565240612867D79C40C','person',1,'local',1794807562117,NULL);
INSERT INTO "key" VALUES(3,X'01A1E2DDFF8C70009945202982E535C0',X'7E2698FE671A8CCD3369C7B04920C639F0A25FFC798E1071A3E6E4DEA4FB5988','admin',1,'local',1794807562124,NULL);
INSERT INTO "key" VALUES(4,X'01A1E2DE078A7000BC98A6E0AE05E49A',X'6D6EACC53A584DFC95EFC9B78752AE3F298318A7B88DB40DC33E9511078099BC','agent',2,'made by hand',1794807564170,NULL);
CREATE TABLE login_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT;
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1794807561914,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1794807561914,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1794807561914,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1794807561914,'0.1.0');
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
, restore_reason TEXT, last_fact INTEGER) STRICT;
INSERT INTO "session" VALUES(1,X'01A1E2DDFFA7700197C24CBD7C108E6F','local','conversation',0,'named',NULL,'active',4,NULL,1794807562151,1794807563862,X'B810E0DB75629152E4949A7258948671',1,1794807563862,1,NULL,17);
INSERT INTO "session" VALUES(2,X'01A1E2DE060A7001806C45C895A9EBC8','local',NULL,0,'restored',X'01A1E2DDFFA7700197C24CBD7C108E6F','active',1,NULL,1794807563786,1794807563786,X'1EE8A8921906F20DAF7519783179D978',1,1794807563786,1,NULL,15);
INSERT INTO "session" VALUES(3,X'01A1E2DE07CF70019DA199E2BC358675','local',NULL,0,'named',NULL,'active',0,NULL,1794807564239,1794807564261,NULL,NULL,NULL,0,NULL,23);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
) STRICT;
INSERT INTO "task" VALUES(3,X'01A1E2DE07CF7000857689F6F550E8DB','local','failed','{"task":"task_01M7HDW1YFE008AXM9YVTN1T6V","session":"ses_01M7HDW1YFE00SV8CSWAY3B1KN","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"created_at":1794807564239,"changed_at":1794807564261}',X'01A1E2DE07DE7000A1D5FAAFFC7C21A6');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1794807562110,NULL);
INSERT INTO "user" VALUES(2,'ben',1794807564126,NULL);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
COMMIT;

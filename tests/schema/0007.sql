-- The database of schema 6, brought to schema 7 by its migration. Never changed.
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
, erased_at INTEGER, people TEXT) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1E379F36C70009EC203FD854C0D92',1,'local',1,1,1,'closed',NULL,NULL,4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794817782710,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1E379F3DA70009590A10B89A3B4E8',1,'local',2,1,1,'closed',NULL,NULL,7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794817782979,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1E379F4EE7000A3F9B3A96532E47A',1,'local',3,1,2,'completed',1794817784022,NULL,10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794817784023,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1E379F91D7000A0349F2C0DE93865',2,'local',1,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1E379F9467000AE63B935A38431A8',1,'local',4,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKWVCE009XGG3ZP2MR3CJ","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794817782636,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKWYTE009B4511E4T7D78","owner":"local","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"62b0e06ba2b57a0059fafafc143eb32d","asked_at":1794817782746,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKX7EE00A7YDKN5JK5S3T","owner":"local","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"reply_in":"full"},"fingerprint":"1b3de9c6e16293ad210aa578b796a495","asked_at":1794817783022,"deadline":1794817784022,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7HQKY8XE00S7C3S5RCK661Y","ask":"ask_01M7HQKY8XE00A0D4Z5G6YJE35","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794817784093,"state":"pending","reopens":"ask_01M7HQKWVCE009XGG3ZP2MR3CJ"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKYA6E00AWRXS6PHR8CD8","owner":"local","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"b810e0db75629152e4949a7258948671","asked_at":1794817784134,"state":"pending"}');
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
INSERT INTO "fact" VALUES(1,1794817782636,'session_opened',1,NULL,NULL,X'560521479C066F907A4F0E4AA61C5E07',X'ED7EC9546CF70BC4542A2E2E0C6B1B57EBC5273D5C42F6CCD606E67ACB73294C',X'157DBA181635E64F19BDF18590B6D74B9F53A1C87429A482752A3D70B34D3546','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1794817782636,"last_activity":1794817782636}');
INSERT INTO "fact" VALUES(2,1794817782636,'asked',1,1,1,X'B360421046D59863BCE7CD55ED5C0E3C',X'56617D6AE02A13E6634C8568FDB1814C69AA4BE66C11A0C4C8243890606E7FB0',X'3A83F497948F1FC177DF9E10A3D71BA91F93BE5BAFBF6DD9BEAEA496293C98B9',NULL);
INSERT INTO "fact" VALUES(3,1794817782636,'shown',1,2,1,X'E3D75B894BCAC75C8BDA551324B23B40',X'BDE6D2E787AC7FC087CD3259EA5AA477CC6632E8AF5BC002FF135F3FBD8751F9',X'8F62232C6CF568EA4917C295899E409FD8916342D260644FC9FDC0A8C0B21BC2','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKWVCE009XGG3ZP2MR3CJ"}');
INSERT INTO "fact" VALUES(4,1794817782710,'closed',1,3,1,X'28040C799B2A664B03E746488AF24DD5',X'409A417D63BAB67E2D4EE39A7E19C4CD53B8C65C132DB46B681AB5DE114D3CC9',X'0AEAF97BD4CBA70E5D5C2A4ACC4B58399039790D4BE9B54BEA2829BC2BC3638B','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKWVCE009XGG3ZP2MR3CJ","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794817782710,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1794817782746,'asked',1,4,2,X'134422E69127A73FE34AEC1F1A42A33C',X'7A4DAAA536F25D8D6CA20D8CB75E16CC85AA78B43B46D9997A3B053535D1959C',X'7146EE79C33FC4CA11DB2ED29264529B9BB9A38FF153230BE255363EC1FF2E9C',NULL);
INSERT INTO "fact" VALUES(6,1794817782746,'shown',1,5,2,X'B966A993C83B0FF307B18359C6311ADF',X'D48615B0E2CF1F8BC6B35AB237B942C969C88B944EB9ADE0565F800E24F0FFD6',X'9132590A83EB7B6BB1676D33CD0F471703475087DFEF3ABA0E9E48235DFCF202','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKWYTE009B4511E4T7D78"}');
INSERT INTO "fact" VALUES(7,1794817782979,'closed',1,6,2,X'AB654F2D64315E75AEC6762F6B9D9E4B',X'85EFFB7CA54D4D6A7DDD562CB5119021B5E8D941D429181168000F336E4B9DC0',X'9824BCDCA605D0A4D8F820DB1959751EF04A38B36505D7D5BF70A5B33DEA387B','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKWYTE009B4511E4T7D78","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794817782979,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1794817783022,'asked',1,7,3,X'82AF0C50077AF3A2A181626664E49463',X'6AF6311F57E46F37DA6B17DB59FD1CFDA2E1AF4B0B402DDD276BCBF375A9A658',X'B38FADE0957DD0158240516D266F7AA18C9593597A3C9C9F9B7F63D8FD97DD7B',NULL);
INSERT INTO "fact" VALUES(9,1794817783022,'shown',1,8,3,X'674FC06ACB6ACFDBE5A9643D97500398',X'5F42F15DEA7A3E32DA459F93A4E51B657EC3891F701F146305B54FDC19F83955',X'01B3D0CBD78C87DFD3FD69CDBEB06E420E32EDB3445A03079E2B9BC7AF3D9627','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKX7EE00A7YDKN5JK5S3T"}');
INSERT INTO "fact" VALUES(10,1794817784023,'closed',1,9,3,X'EC2821CCAFDBD5E5BD8FFC0B02259773',X'1CFF39149CD6616137278C70A764FDA8A17F4F2FB10DD5B077DD71F15E0C389A',X'AFE60EA744087D73E78A94DC157B6D50C5452659B0C845FA8A537AD7B218169F','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKX7EE00A7YDKN5JK5S3T","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794817784023,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1794817784033,'delivered',1,10,3,X'006E25B01A2AF13D15604759540AB4FC',X'309C1CF17A85914E9858B4859E5D16CA2372D579637065DA0F9B473B8FE53626',X'3AE3432AAA5069C2FD4E3BA67050715B078D9D898D9DFF8343708DA9A5989DC7','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKX7EE00A7YDKN5JK5S3T"}');
INSERT INTO "fact" VALUES(12,1794817784033,'acknowledged',1,11,3,X'3891902F2B8C28E7ACA3A163F23AA064',X'9814CA8C7C33BC92D1B5AE7D3A9A46A79FA7E27534868FE3DEEDB808548C1DA5',X'898ADA3DEE7096A556833377E09B35286333EFF51F10639780B6544350BEE0F9','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKX7EE00A7YDKN5JK5S3T"}');
INSERT INTO "fact" VALUES(13,1794817784093,'session_opened',2,NULL,NULL,X'39200268BC3B3A382BF40B9BAF3F4414',X'1CF7E2F836EAAE278EB33EB08DF1B757CB8A43763E6FFB6608A403834D2C24CE',X'0F1AE7364D2E0D73E9A90A2E3531F66DB3B915BA21F6F83351C803E112F3E43B','{"session":"ses_01M7HQKY8XE00S7C3S5RCK661Y","owner":"local","origin":{"restored":"ses_01M7HQKWVCE00RKM89TF81Y17Q"},"status":"active","round":0,"created_at":1794817784093,"last_activity":1794817784093}');
INSERT INTO "fact" VALUES(14,1794817784093,'asked',2,13,4,X'7FBB89E7B6EC7C67F0D5355C9D9F3B37',X'3711F50547F8A57DED10DAB9269234C0B841B54F98913E577242759FBEABE999',X'A3814E57533BAEFEC8DB2FCCFD667900DCF0A4110A615351B2710C18183F124D',NULL);
INSERT INTO "fact" VALUES(15,1794817784093,'shown',2,14,4,X'1A717D44776E047C85B2F4B8652B0FBB',X'BDB8C1440DC48E7F16DE24232FD74359ECDF16FC403ED4D1CE99E428243AEEEA',X'1BB4E15F26875D5FF92F538D08E37D7E8E912EE2754CD43FE4FF9C5FF565B665','{"session":"ses_01M7HQKY8XE00S7C3S5RCK661Y","ask":"ask_01M7HQKY8XE00A0D4Z5G6YJE35"}');
INSERT INTO "fact" VALUES(16,1794817784134,'asked',1,12,5,X'26F2B2F0BE549D7BB2E822622B9A2A2E',X'E018C4F381798970DB517997EB5227BE0E4496D2E2FD531764117D9EA555B5CE',X'AA27D00FD2A2BA3E885590B718A4FC19D2C137F364A75FB0335CB1B6347DFD2C',NULL);
INSERT INTO "fact" VALUES(17,1794817784134,'shown',1,16,5,X'EBA4CA22B9D8D04FDBE4C15A291BF522',X'1090FD988F6A1988246FE4E2B4C1BF3C050EE43EECED720B6C76AC07D2356AAF',X'BB761F687F71277D6A27D9A895048AA7AF3070B531AA354AAC6E538E534024B2','{"session":"ses_01M7HQKWVCE00RKM89TF81Y17Q","ask":"ask_01M7HQKYA6E00AWRXS6PHR8CD8"}');
INSERT INTO "fact" VALUES(18,1794817784440,'session_opened',3,NULL,NULL,X'EBE945EBD2DF61F2F716DFBF79736D9A',X'E1F281E74C6F6909BEDC98AC1B0C493C613E8CD6245E404E02FBA146B6972870',X'4CDE6FE12D54046D0E6F8B9DE09676C4715AFDA462F331FFFE21FC6BBA1C3773','{"session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","owner":"local","origin":"named","status":"active","round":0,"created_at":1794817784440,"last_activity":1794817784440}');
INSERT INTO "fact" VALUES(19,1794817784440,'task_changed',3,18,NULL,X'B9359D2E0D287C8FDDDB1582A51BF8B2',X'9D778D34ADCDC8E0887C4D3ED2D1E471E09F061599B551CB5BB51558EF21440C',X'35930288790DB1A3199A8ACBA6869D4C5FD3F6B09DDB07A9DD5BF0FD68B5D2C5','{"session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","by":{"user":"local","channel":"api","proof":"key_file"},"task":{"task":"task_01M7HQKYKRE008XWCVWBNMZ8MM","session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_1H3353XS2Q9Q1PWKZNWF3CJ4YY","created_at":1794817784440,"changed_at":1794817784440}}');
INSERT INTO "fact" VALUES(20,1794817784440,'said',3,19,NULL,X'8B8B68F05F8B4673D10872D7520516F3',X'FF27037486A2720C6A0B0D777188EED3B91E8BAB5DBC5D9BE501A04BC355B54C',X'8C1AF2B231A3BF2DDA4BFE8FF172CF38F1ABB95C40634D657ACB0DA753E2FD3C','{"session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","uuid":"01a1e379-fa78-7002-b127-1e365e27e774","round":0,"at":1794817784440,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(21,1794817784443,'task_changed',3,20,NULL,X'04F98190714CE12E9752D97C38C66AED',X'66E08E76111046B562A1FCB3BB2EB464E5AF35E1E6C0570A424C6A96E3C4D1C5',X'F74E6212A0C3ED8397F3E651D68A192A8D23799F569B745F25152E8B9230F509','{"session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7HQKYKRE008XWCVWBNMZ8MM","session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_1H3353XS2Q9Q1PWKZNWF3CJ4YY","pid":5490,"pid_started":4510728,"created_at":1794817784440,"changed_at":1794817784443}}');
INSERT INTO "fact" VALUES(22,1794817784447,'said',3,21,NULL,X'2415DC1554A04C2243252026D4E73F18',X'F621FF5E354280A61AF38A28F3DE56940122B31FE704E75DA4285F0997A52CE6',X'789C32EC95C4D7A51F130EE62795D3B806889255C9BCC0E060AFA7713CCADCC1','{"session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","uuid":"01a1e379-fa7e-7000-9f86-910fa704e247","parent":"01a1e379-fa78-7002-b127-1e365e27e774","round":0,"at":1794817784447,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(23,1794817784448,'task_changed',3,22,NULL,X'41D1CB33BE2B11C48D5532A8AFF7D8C3',X'24324C59DDD91B0D37F84919174879D4115D0E40459D77F2042D4C68D78FB0CA',X'76E13AB75A89126CC94B85C3E766E5EC1C69F060B11C0C12CEA94EBBDE641CE7','{"session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7HQKYKRE008XWCVWBNMZ8MM","session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_1H3353XS2Q9Q1PWKZNWF3CJ4YY","created_at":1794817784440,"changed_at":1794817784448}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,23,X'76E13AB75A89126CC94B85C3E766E5EC1C69F060B11C0C12CEA94EBBDE641CE7');
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
INSERT INTO "key" VALUES(1,X'01A1E379F33D7000B9050CD345FBE6C3',X'5A3A660CDB0CD276A146C2FCC8EFADF9E79067888FDDD2B46CF315FDCFED0B50','agent',1,'local',1794817782589,NULL);
INSERT INTO "key" VALUES(2,X'01A1E379F34570008401A5C7DA804718',X'B93C272C5385357A275DB0F263B9B4F91EDEBA97009744FCDF199B37A61D6653','person',1,'local',1794817782597,NULL);
INSERT INTO "key" VALUES(3,X'01A1E379F3517000A59E6D06A0CD2321',X'2020DD3488BF02293985C69344652D740E9F829D7A8BC440BEB5A494840EB93C','admin',1,'local',1794817782609,NULL);
INSERT INTO "key" VALUES(4,X'01A1E379FA5E7000AFE87E7E25F81C06',X'31D166DC2D5C0915C9005481064979C4F892A75C927DCC7C345B7218B656E627','agent',2,'made by hand',1794817784414,NULL);
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
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1794817782457,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1794817782457,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1794817782457,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1794817782457,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1794817782457,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1794817782457,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1794817782457,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,0,X'0000000000000000000000000000000000000000000000000000000000000000');
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
INSERT INTO "session" VALUES(1,X'01A1E379F36C700189D109D3D01F04F7','local','conversation',0,'named',NULL,'active',4,NULL,1794817782636,1794817784134,X'B810E0DB75629152E4949A7258948671',1,1794817784134,1,NULL,17);
INSERT INTO "session" VALUES(2,X'01A1E379F91D700193B0792E1933183E','local',NULL,0,'restored',X'01A1E379F36C700189D109D3D01F04F7','active',1,NULL,1794817784093,1794817784093,X'1EE8A8921906F20DAF7519783179D978',1,1794817784093,1,NULL,15);
INSERT INTO "session" VALUES(3,X'01A1E379FA787001BA11D9B172D74EA7','local',NULL,0,'named',NULL,'active',0,NULL,1794817784440,1794817784448,NULL,NULL,NULL,0,NULL,23);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
, server BLOB) STRICT;
INSERT INTO "task" VALUES(3,X'01A1E379FA7870008EF19BE2EB4FA294','local','failed','{"task":"task_01M7HQKYKRE008XWCVWBNMZ8MM","session":"ses_01M7HQKYKRE00VM4ESP5SDEKN7","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_1H3353XS2Q9Q1PWKZNWF3CJ4YY","created_at":1794817784440,"changed_at":1794817784448}',X'01A1E379FA7E70009F86910FA704E247',X'3118CA3EE4574DC36E4FF5E3C6C913DE');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1794817782581,NULL);
INSERT INTO "user" VALUES(2,'ben',1794817784390,NULL);
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
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
COMMIT;
